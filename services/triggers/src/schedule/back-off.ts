const LONGEST_MS = 6 * 60 * 60_000;
const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
const JITTER = 0.2;

interface Failing {
  /** What it would wait had nothing failed; never less. */
  everyMs: number;
  /** In a row, with the last one. */
  failures: number;
  /** What the third party asked for; at most 24 h of it are obeyed. */
  retryAfterSeconds?: number;
}

/**
 * Milliseconds before what failed is tried again: each failure in a row doubles them up to 6 h, give or take 20 %, so that what failed
 * together is not tried again together. `random` answers as Math.random does.
 */
export function backOff({ everyMs, failures, retryAfterSeconds = 0 }: Failing, random = Math.random): number {
  const longestMs = Math.max(everyMs, LONGEST_MS);
  // 2 ** 20 minutes are two years: an exponent without a bound would be Infinity in the end.
  const doubled = Math.min(everyMs * 2 ** Math.min(failures, 20), longestMs);
  const jittered = Math.round(doubled * (1 - JITTER + 2 * JITTER * random()));
  const asked = Math.min(Math.max(retryAfterSeconds, 0) * 1_000, MAX_RETRY_AFTER_MS);
  return Math.max(everyMs, jittered, asked);
}
