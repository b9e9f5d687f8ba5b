const LONGEST_MS = 6 * 60 * 60_000;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
const JITTER = 0.2;

interface Failing {
  /** The regular interval; the delay is never shorter. */
  everyMs: number;
  /** Failures in a row, including the last one. */
  failures: number;
  /** The provider's Retry-After; at most 24 h of it are honored. */
  retryAfterSeconds?: number;
}

/**
 * Returns the milliseconds until a retry: each failure in a row doubles them up to 6 h. A jitter of 20 % spreads retries of things that failed
 * together. `random` answers as Math.random does.
 */
export function backOff({ everyMs, failures, retryAfterSeconds = 0 }: Failing, random = Math.random): number {
  const longestMs = Math.max(everyMs, LONGEST_MS);
  // 2 ** 20 minutes are two years; without a bound the result would become Infinity.
  const doubled = Math.min(everyMs * 2 ** Math.min(failures, 20), longestMs);
  const jittered = Math.round(doubled * (1 - JITTER + 2 * JITTER * random()));
  const asked = Math.min(Math.max(retryAfterSeconds, 0) * 1_000, MAX_RETRY_AFTER_MS);
  return Math.max(everyMs, jittered, asked);
}
