import { invalid } from '@drawbridge/contracts';

/** Partials that one call may name, because one message carries their values beside the caller's input. */
export const MAX_NAMED = 10;

/** The fields of a partial that a call needs before it reads the values. */
export interface PartialHead {
  id: string;
  name: string;
  actionName: string | null;
  triggerName: string | null;
  isDefault: boolean;
  /** Changes with every update. */
  updatedAt: string;
}

/** The action or trigger of a call or a partial. A partial without one applies to the whole integration. */
export interface Operation {
  actionName?: string | null;
  triggerName?: string | null;
}

/**
 * Returns the partials that apply to a call, in order: the named ones or, if none are named, the default ones of its configured integration, oldest
 * first. `heads`: the partials of the configured integration, oldest first. Throws VALIDATION_ERROR for each id that is unknown or belongs to another
 * action.
 */
export function pickPartials(
  heads: readonly PartialHead[],
  operation: Operation,
  partialIds?: readonly string[],
): PartialHead[] {
  if (!partialIds) return heads.filter((head) => head.isDefault && isFor(head, operation));
  if (partialIds.length > MAX_NAMED) throw invalid({ partialIds: `must name at most ${MAX_NAMED}` });
  const named = partialIds.map((id) => heads.find((head) => head.id === id.toLowerCase()));
  const problems = named.flatMap((head, index) => {
    const problem = head ? otherOperation(head, operation) : `no such partial of this integration in this workspace`;
    return problem === undefined ? [] : [[`partialIds[${index}]`, problem] as const];
  });
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
  return named.filter((head) => head !== undefined);
}

export function isFor(
  head: Pick<PartialHead, 'actionName' | 'triggerName'>,
  { actionName, triggerName }: Operation,
): boolean {
  if (head.actionName === null && head.triggerName === null) return true;
  return head.actionName === (actionName ?? null) && head.triggerName === (triggerName ?? null);
}

function otherOperation(head: PartialHead, operation: Operation): string | undefined {
  return isFor(head, operation) ? undefined : `is for ${head.actionName ?? head.triggerName} alone`;
}
