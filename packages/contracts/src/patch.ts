import { ApiError, invalid } from './errors.js';

/** A change as a message (AIP-134). The mask contains the keys of the body. `changes` omits keys with the value null. */
export interface Patch<Changes> {
  changes?: Changes;
  updateMask: string[];
}

/** The masked fields, with null for fields to reset. */
export type Masked<Changes> = { [K in keyof Changes]?: Exclude<Changes[K], undefined> };

/** Converts the body of a PATCH to the message for its RPC. */
export function toPatch<Changes extends object>(body: Changes): Patch<Changes> {
  return { changes: body, updateMask: Object.keys(body) };
}

/**
 * Returns the fields to write. A masked field without a value is reset to null if `nullable` includes it. Throws NO_UPDATES, or `whenEmpty`, for an
 * empty mask, and VALIDATION_ERROR for a null that is not allowed.
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
