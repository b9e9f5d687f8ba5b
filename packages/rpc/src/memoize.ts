import { LRUCache } from 'lru-cache';
import { detached } from './context.js';

const MAX_BYTES = 32 * 1024 * 1024;
/** Estimated overhead of each string or object, in addition to its content. */
const OVERHEAD_BYTES = 50;

/** Options of an LRUCache with at most `entries` entries. Its option `max` would allocate the memory of all of them when the process starts. */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });

/** An entry contains a promise while the call runs, and only the result afterwards: a promise would retain the first caller's context in memory. */
type Entry<Answer> = { asked: Promise<Answer> } | { answer: Answer };

export interface Memoized<Answer, Rest extends unknown[]> {
  (key: string, ...rest: Rest): Promise<Answer>;
  /** Removes the cached result of this key, or of all keys. The result of a call to `ask` that is still running is not cached when it arrives. */
  forget(key?: string): void;
}

/**
 * Returns a function that caches the results of `ask`, and calls it at most once per key in `ttlMs`, even if several callers wait. Failures and
 * undefined are not cached. The time starts with the call, so that a result is never older than `ttlMs`. Caches at most `max` results and 32 MiB. If
 * a stale result would grant access, `ttlMs` must be at most 1,000. `rest` is passed to `ask`, and must always be the same for the same key. A call
 * takes at most `limitMs`, 10 s by default.
 */
export function memoize<Answer, Rest extends unknown[] = []>(
  { ttlMs, max = 10_000, limitMs }: { ttlMs: number; max?: number; limitMs?: number },
  ask: (key: string, ...rest: Rest) => Promise<Answer>,
): Memoized<Answer, Rest> {
  // With resolution 0 the cache reads the clock at each lookup. Otherwise each cache sets a timer every millisecond, which costs more.
  const times = { ttl: ttlMs, ttlResolution: 0 };
  const known = new LRUCache<string, Entry<Answer>>({ ...times, maxSize: MAX_BYTES, sizeCalculation: bytesOf });

  const askFor = async (key: string, rest: Rest): Promise<Answer> => {
    const asked = detached(() => ask(key, ...rest), limitMs);
    const entry = { asked };
    const start = performance.now();
    if (known.size >= max && !known.has(key)) known.pop();
    known.set(key, entry);
    const settle = (store: () => void): void => void (known.peek(key) === entry && store());
    try {
      const answer = await asked;
      settle(() => (answer === undefined ? known.delete(key) : known.set(key, { answer }, { start })));
      return answer;
    } catch (error) {
      settle(() => known.delete(key));
      throw error;
    }
  };
  const find = async (key: string, ...rest: Rest): Promise<Answer> => {
    const before = known.get(key);
    if (!before) return askFor(key, rest);
    return 'answer' in before ? before.answer : before.asked;
  };
  const forget = (key?: string): void => void (key === undefined ? known.clear() : known.delete(key));
  return Object.assign(find, { forget });
}

function bytesOf(known: Entry<unknown>, key: string): number {
  return sizeOf(key) + ('answer' in known ? sizeOf(known.answer) : OVERHEAD_BYTES);
}

/** Estimates the size in bytes. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD_BYTES + 2 * value.length;
  if (value instanceof Uint8Array) return OVERHEAD_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), OVERHEAD_BYTES);
}
