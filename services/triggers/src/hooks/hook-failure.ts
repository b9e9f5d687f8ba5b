import { ApiError } from '@drawbridge/contracts';

/** Codes of what will be no other the next time, as long as nobody changes something. */
const FINAL = new Set(['CONNECTION_REQUIRED', 'CONNECTION_NOT_FOUND', 'NOT_FOUND', 'VALIDATION_ERROR', 'FORBIDDEN']);

export interface HookFailure {
  /** What the third party asked for. */
  retryAfterSeconds?: number;
  /** The same may succeed later. */
  isRetryable: boolean;
}

/** As execution tells of what an action failed with. */
interface Details {
  provider?: { retryAfter?: unknown };
  retryable?: unknown;
}

/** What the failure of a trigger's own code says of trying again. */
export function toHookFailure(error: unknown): HookFailure {
  if (!(error instanceof ApiError)) return { isRetryable: true };
  const { retryable, provider } = error.details as Details;
  const retryAfter = provider?.retryAfter;
  const isRetryable = error.code === 'ACTION_FAILED' ? retryable !== false : !FINAL.has(error.code);
  return typeof retryAfter === 'number' ? { isRetryable, retryAfterSeconds: retryAfter } : { isRetryable };
}
