const LONGEST_MS = 6 * 60 * 60_000;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
const JITTER = 0.2;

interface Failing {
  /** The regular interval, in milliseconds. The delay is never shorter. */
  everyMs: number;
  /** Number of consecutive failures, including the current failure. */
  failures: number;
  /** The value of the Retry-After header of the provider. At most 24 h are honored. */
  retryAfterSeconds?: number;
}

/**
 * Returns the milliseconds until a retry. Each consecutive failure doubles the delay, up to 6 h. A jitter of ±20 % spreads the retries of sources
 * that failed at the same time. `random` returns a number like Math.random.
 */
export function backOff({ everyMs, failures, retryAfterSeconds = 0 }: Failing, random = Math.random): number {
  const longestMs = Math.max(everyMs, LONGEST_MS);
  // Limits the exponent, because the result would otherwise become Infinity. 2 ** 20 minutes are two years.
  const doubled = Math.min(everyMs * 2 ** Math.min(failures, 20), longestMs);
  const jittered = Math.round(doubled * (1 - JITTER + 2 * JITTER * random()));
  const asked = Math.min(Math.max(retryAfterSeconds, 0) * 1_000, MAX_RETRY_AFTER_MS);
  return Math.max(everyMs, jittered, asked);
}
