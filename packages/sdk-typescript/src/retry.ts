import { ApiError } from './api-error.js';

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** The longest `Retry-After` that a retry obeys. If it is longer, the error is thrown, and the program decides whether to wait. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** A request that failed. */
export interface Attempt {
  /** Counts from 0. */
  number: number;
  /** Whether the request changes nothing when it is sent twice: it reads, or it carries an idempotency key. */
  isRepeatable: boolean;
}

/**
 * Returns the milliseconds to wait before the request is sent again; undefined if it must not be. Requests that the server rejected before it did
 * anything (RATE_LIMITED, UNAVAILABLE) are always sent again. Without a response, or after a failure of the server, only repeatable ones are.
 */
export function retryDelay(error: unknown, attempt: Attempt): number | undefined {
  if (!isWorthRetrying(error, attempt)) return undefined;
  const asked = error instanceof ApiError ? retryAfter(error.headers) : undefined;
  if (asked === undefined) return backOff(attempt.number);
  return asked <= LONGEST_RETRY_AFTER_MS ? asked : undefined;
}

function isWorthRetrying(error: unknown, { number, isRepeatable }: Attempt): boolean {
  if (!(error instanceof ApiError)) return isRepeatable;
  const { code, status, details } = error;
  const isUntouched = code === 'RATE_LIMITED' || (code === 'UNAVAILABLE' && details['reason'] !== 'outcome_unknown');
  if (isUntouched) return true;
  // The first attempt of the same idempotency key still runs: its response is stored when it ends.
  if (code === 'DUPLICATE' && details['reason'] === 'in_progress') return isRepeatable && number > 0;
  return isRepeatable && (status === 408 || status >= 500);
}

/**
 * Returns a delay that doubles with each attempt. Half of it is random, so that clients that failed at the same time do not retry at the same time.
 */
function backOff(number: number): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** number, LONGEST_DELAY_MS);
  return delay / 2 + Math.random() * (delay / 2);
}

/**
 * Reads `Retry-After`: whole seconds, or a date (RFC 9110, section 10.2.3). Returns undefined for other values, which `Date.parse` may take for
 * dates.
 */
export function retryAfter(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1_000;
  const at = /^[A-Za-z]{3,9}, /.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** Waits, and rejects with the reason of the signal as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
