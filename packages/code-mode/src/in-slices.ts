import { setImmediate as nextTurn } from 'node:timers/promises';

const SLICE_MS = 10;

/** Maps a list in order. Yields to other work of the process every 10 ms, because mapping thousands of tools takes seconds. */
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
