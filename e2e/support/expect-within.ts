import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;
/** What another process changed is known everywhere within this: no answer that opens a gate is remembered longer. */
const KNOWN_MS = 1_000;

/**
 * For what must hold for whoever asks more than 1 s from now: asks until `check` no longer throws, and fails at the first
 * question that was asked later and still does. How long an answer takes is not judged: a slow machine changes nothing.
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
