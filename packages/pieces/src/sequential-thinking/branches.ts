import {
  InputError,
  type JsonObject,
  listAt,
  shortText,
  type State,
  type StateEntry,
  type UpdateState,
} from '@drawbridge/piece-kit';

/** The branch of thoughts that specify no branch. */
export const MAIN = 'main';
/** The key of all branches, which are few and are listed together. The keys of thoughts begin with `thought/`. */
const BRANCHES = 'branches';
const MAX_BRANCHES = 100;

export interface Branch {
  id: string;
  /** The thought at which the branch begins, or null for the main branch. */
  from: number | null;
  thoughts: number;
}

export const branchId = shortText('Branch', {
  description: `Defaults to ${MAIN}.`,
  pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$',
  minLength: 1,
  maxLength: 64,
});

export const keysOf = (branch: string): string => `thought/${branch}/`;
export const keyOf = (branch: string, number: number): string => `${keysOf(branch)}${String(number).padStart(6, '0')}`;

function branchesOf(entry: StateEntry | undefined): Branch[] {
  return listAt(entry?.value) as unknown as Branch[]; // Only `counted` writes this value.
}

export async function readBranches(state: State): Promise<Branch[]> {
  return branchesOf(await state.get(BRANCHES));
}

export interface NewThought {
  branch: string;
  /** The thought at which a new branch begins. */
  from?: number;
  /** The number of an earlier thought. */
  revises?: number;
}

/** Counts a thought and returns its number in the branch, which is unique even for concurrent calls. Throws InputError, and then counts nothing. */
export async function count(update: UpdateState, thought: NewThought): Promise<number> {
  const { value } = await update(BRANCHES, (old) => {
    const branches = counted(branchesOf(old), thought);
    if (branches.length > MAX_BRANCHES)
      throw new InputError('branchId', `exceeds the limit of ${MAX_BRANCHES} branches. Use an existing branch`);
    if ((thought.revises ?? 0) >= numberIn(branches, thought))
      throw new InputError('revises', 'must be the number of an earlier thought');
    return { value: toJson(branches) };
  });
  return numberIn(listAt(value) as unknown as Branch[], thought);
}

function counted(known: readonly Branch[], { branch, from }: NewThought): Branch[] {
  const isKnown = known.some(({ id }) => id === branch);
  if (!isKnown) return [...known, { id: branch, from: from ?? null, thoughts: 1 }];
  return known.map((one) => (one.id === branch ? { ...one, thoughts: one.thoughts + 1 } : one));
}

function numberIn(branches: readonly Branch[], { branch }: NewThought): number {
  return branches.find(({ id }) => id === branch)?.thoughts ?? 0;
}

const toJson = (branches: readonly Branch[]): JsonObject[] => branches.map((branch) => ({ ...branch }));
