import { ApiError } from '@drawbridge/contracts';

/** Codes of failures that a retry cannot fix until a user or an operator changes something. */
const FINAL = new Set(['CONNECTION_REQUIRED', 'CONNECTION_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN']);

export interface HookFailure {
  /** The provider's Retry-After. */
  retryAfterSeconds?: number;
  /** True if a retry may succeed. */
  isRetryable: boolean;
}

/** The details with which execution reports a failed action. */
interface Details {
  provider?: { retryAfter?: unknown };
  retryable?: unknown;
}

/** Returns whether a failed call of a trigger's code may be retried, and after how many seconds. */
export function toHookFailure(error: unknown): HookFailure {
  if (!(error instanceof ApiError)) return { isRetryable: true };
  const { retryable, provider } = error.details as Details;
  const retryAfter = provider?.retryAfter;
  const isRetryable = error.code === 'ACTION_FAILED' ? retryable !== false : !FINAL.has(error.code);
  return typeof retryAfter === 'number' ? { isRetryable, retryAfterSeconds: retryAfter } : { isRetryable };
}
