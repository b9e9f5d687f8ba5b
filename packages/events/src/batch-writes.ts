import { AsyncLocalStorage } from 'node:async_hooks';
import { isOutage } from '@drawbridge/rpc';

/** Time after which the next write starts, although the last one has not ended. It exceeds a usual write by far. */
const SLOW_MS = 500;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * Collects the items that arrive during a write, and writes at most `most` of them together. `write` must return the results in the
 * order of its items, so that each caller gets the result of its item. A failed write is repeated in halves to isolate the item that
 * causes the failure, except during an outage, when every part would fail as slowly.
 */
export function together<Item, Result>(most: number, write: (items: readonly Item[]) => Promise<readonly Result[]>) {
  const waiting: Waiting<Item, Result>[] = [];
  /** Runs the writes outside of the call that starts them, because they serve others, too, and belong to no trace. */
  const outside = AsyncLocalStorage.snapshot();
  let isWriting = false;

  async function writeSome(some: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await write(some.map(({ item }) => item));
      some.forEach(({ resolve }, at) => resolve(results[at]!));
    } catch (error) {
      if (some.length === 1 || isOutage(error)) return some.forEach(({ reject }) => reject(error));
      const half = Math.ceil(some.length / 2);
      for (const part of [some.slice(0, half), some.slice(half)]) await writeSome(part);
    }
  }

  async function writeAll(): Promise<void> {
    if (isWriting) return;
    isWriting = true;
    // Items that arrive in the same event loop iteration join this write.
    await new Promise(setImmediate);
    while (waiting.length > 0) await unlessSlow(writeSome(waiting.splice(0, most)));
    isWriting = false;
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      void outside(writeAll);
    });
}

/** Waits for a write, but at most SLOW_MS: on a connection that hangs, it would otherwise delay all others by its timeout. */
async function unlessSlow(write: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([write, new Promise((resolve) => (timer = setTimeout(resolve, SLOW_MS)))]);
  clearTimeout(timer);
}
