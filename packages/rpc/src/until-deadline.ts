import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the work is done, or when `deadline` (epoch milliseconds) has passed. Background work uses it to stop. */
export async function untilDeadline(work: Promise<unknown>, deadline: number): Promise<void> {
  await Promise.race([work, sleep(Math.max(0, deadline - Date.now()), undefined, { ref: false })]);
}
