import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the work is done, or when its deadline (epoch milliseconds) has passed: how a background's end waits. */
export async function untilDeadline(work: Promise<unknown>, deadline: number): Promise<void> {
  await Promise.race([work, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })]);
}
