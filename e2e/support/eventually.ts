import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 50;

/** Repeats `check` until it no longer throws. After `withinMs` it throws the last error. */
export async function eventually<T>(check: () => Promise<T>, withinMs = 20_000): Promise<T> {
  const giveUpAt = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await sleep(LOOK_MS);
    }
  }
}
