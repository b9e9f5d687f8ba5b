import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

/** Maps a list in order. Lets other work of the process run every 10 ms, because thousands of tools take seconds. */
export async function inSlices<Item, Result>(
  items: readonly Item[],
  map: (item: Item, at: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  let startedAt = performance.now();
  for (const [at, item] of items.entries()) {
    results.push(map(item, at));
    if (performance.now() - startedAt < SLICE_MS) continue;
    await nextTurn();
    startedAt = performance.now();
  }
  return results;
}
