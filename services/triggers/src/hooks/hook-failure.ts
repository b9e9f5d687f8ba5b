import { ApiError } from '@drawbridge/contracts';

/** Codes of what will be no other the next time, as long as nobody changes something. */
const FINAL = new Set(['CONNECTION_REQUIRED', 'CONNECTION_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN']);

export interface HookFailure {
  /** What the third party asked for. */
  retryAfterSeconds?: number;
  /** The same may succeed later. */
  isRetryable: boolean;
}

/** What the failure of a trigger's own code says of trying again. */
export function toHookFailure(error: unknown): HookFailure {
  if (!(error instanceof ApiError)) return { isRetryable: true };
  const { retryable, retryAfter } = error.details;
  const isRetryable = error.code === 'ACTION_FAILED' ? retryable !== false : !FINAL.has(error.code);
  return typeof retryAfter === 'number' ? { isRetryable, retryAfterSeconds: retryAfter } : { isRetryable };
}
