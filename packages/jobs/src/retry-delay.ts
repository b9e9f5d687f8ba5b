const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

const JITTER = 0.2;

/** Delay before each attempt. The total is 75 h 35 min. */
const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

export const MAX_ATTEMPTS = DELAYS_MS.length;

/**
 * Returns the milliseconds before attempts 1 to 10, with a jitter of 20 %, and undefined after the last attempt. The jitter spreads the retries of
 * jobs that failed at the same time. `random` works like Math.random.
 */
export function retryDelay(attempt: number, random: () => number = Math.random): number | undefined {
  const delay = DELAYS_MS[attempt - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - JITTER + 2 * JITTER * random()));
}
