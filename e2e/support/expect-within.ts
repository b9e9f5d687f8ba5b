import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;
/** The maximum staleness of caches that grant access: within this time a change by another process takes effect everywhere. */
const KNOWN_MS = 1_000;

/**
 * Repeats `check` until it no longer throws. Fails if an attempt that starts more than 1 s from now throws. The duration of an attempt does not
 * count, so that a slow machine does not change the result.
 */
export async function expectWithinASecond<T>(check: () => Promise<T>): Promise<T> {
  const from = performance.now();
  for (;;) {
    const asked = performance.now() - from;
    try {
      return await check();
    } catch (error) {
      if (asked > KNOWN_MS) throw error;
      await sleep(LOOK_MS);
    }
  }
}
