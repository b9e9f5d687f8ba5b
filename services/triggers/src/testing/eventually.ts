import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an expectation until it succeeds. */
export async function eventually(expected: () => void | Promise<void>, withinMs = 20_000): Promise<void> {
  for (const end = Date.now() + withinMs; ; await sleep(20)) {
    try {
      return await expected();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}
