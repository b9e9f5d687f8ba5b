import { apiOf } from './api.js';

/** How long the slowest answer of /healthz takes, in milliseconds, while `work` is under way: at least one is asked for. */
export async function slowestAnswerDuring(baseUrl: string, work: () => Promise<unknown>): Promise<number> {
  const neighbour = apiOf(baseUrl);
  let isDone = false;
  const done = work().finally(() => (isDone = true));
  let slowest = 0;
  do {
    const askedAt = performance.now();
    await neighbour.get('/healthz');
    slowest = Math.max(slowest, performance.now() - askedAt);
  } while (!isDone);
  await done;
  return slowest;
}
