import { invalid } from '@drawbridge/contracts';

/** As many as one call may name. What they hold travels in one message, beside the caller's own. */
export const MAX_NAMED = 10;

/** What a call knows of a partial before it reads its values. */
export interface PartialHead {
  id: string;
  name: string;
  actionName: string | null;
  triggerName: string | null;
  isDefault: boolean;
  /** Another one at every change. */
  updatedAt: string;
}

/** The one action or trigger that a call, or a partial, is about; a partial without is about all of its integration. */
export interface Operation {
  actionName?: string | null;
  triggerName?: string | null;
}

/**
 * The partials that apply to a call, in order: those that it names; where it names none, the default ones of its instance, oldest first.
 * `heads`: of the instance, oldest first. Throws VALIDATION_ERROR on each id that is of none of them, or of another action.
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
