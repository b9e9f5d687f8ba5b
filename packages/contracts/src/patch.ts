import { ApiError, invalid } from './errors.js';

/** How a change travels (AIP-134): the mask names the keys of the body, `changes` lacks those that are null. */
export interface Patch<Changes> {
  changes?: Changes;
  updateMask: string[];
}

/** The masked fields, with null for those to reset. */
export type Masked<Changes> = { [K in keyof Changes]?: Exclude<Changes[K], undefined> };

/** The body of a PATCH as its RPC takes it. */
export function toPatch<Changes extends object>(body: Changes): Patch<Changes> {
  return { changes: body, updateMask: Object.keys(body) };
}

/**
 * What a change writes: what is masked and absent is reset to null, where that is one of `nullable`.
 * Throws NO_UPDATES, or what is said instead, on an empty mask, and VALIDATION_ERROR on a null that may not be.
 */
export function masked<Changes extends object>(
  { changes, updateMask }: Patch<Changes>,
  nullable: readonly (keyof Changes)[],
  whenEmpty: 'NO_UPDATES' | 'VALIDATION_ERROR' = 'NO_UPDATES',
): Masked<Changes> {
  if (updateMask.length === 0) throw new ApiError(whenEmpty, 'Nothing to update: send at least one key');
  const given = (changes ?? {}) as Record<string, unknown>;
  const entries = updateMask.map((key): [string, unknown] => [key, given[key] ?? null]);
  const wrong = entries.filter(([key, value]) => value === null && !nullable.some((one) => one === key));
  if (wrong.length > 0) throw invalid(Object.fromEntries(wrong.map(([key]) => [key, 'must not be null'])));
  return Object.fromEntries(entries) as Masked<Changes>;
}
