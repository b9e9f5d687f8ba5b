import { AsyncLocalStorage } from 'node:async_hooks';
import { isOutage } from '@drawbridge/rpc';

/** Time after which the next write starts, although the last one has not ended. It exceeds a usual write by far. */
const SLOW_MS = 500;
/**
 * Under load, a write waits up to GATHER_MS until it has nine tenths of the items of the last write: its cost hardly depends on its items, and the
 * callers of the last write return at the same time. It is no load if the last write had fewer than MANY items, was full, did not end, or
 * ended over RECENT_MS ago. With fewer items, the wait would cost more latency than the write.
 */
const [GATHER_MS, MANY, RECENT_MS] = [8, 8, 30];
const SHARE = 0.9;

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
  const load = loadOf(() => waiting.length);

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
    while (waiting.length > 0) {
      await load.untilEnough();
      const some = waiting.splice(0, most);
      const hasEnded = await unlessSlow(writeSome(some));
      load.ended(hasEnded && some.length < most ? some.length : 0);
    }
    isWriting = false;
  }

  return (item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      load.added();
      void outside(writeAll);
    });
}

/** Decides whether enough items wait for the next write. */
function loadOf(waiting: () => number) {
  let [count, endedAt] = [0, -Infinity];
  /** Begins the write that waits for more items. Undefined if none waits. */
  let begin: (() => void) | undefined;
  const isEnough = (): boolean =>
    count < MANY || waiting() >= Math.floor(count * SHARE) || performance.now() - endedAt > RECENT_MS;
  return {
    async untilEnough(): Promise<void> {
      if (isEnough()) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, GATHER_MS);
        begin = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      begin = undefined;
    },
    added(): void {
      if (begin && isEnough()) begin();
    },
    ended(items: number): void {
      [count, endedAt] = [items, performance.now()];
    },
  };
}

/**
 * Waits for a write, but at most SLOW_MS: on a connection that hangs, it would otherwise delay all others by its timeout. Returns whether the write
 * has ended.
 */
async function unlessSlow(write: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const isSlow = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, SLOW_MS, false)));
  const hasEnded = await Promise.race([write.then(() => true), isSlow]);
  clearTimeout(timer);
  return hasEnded;
}
