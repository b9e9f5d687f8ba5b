import { LRUCache } from 'lru-cache';
import { detached } from './detached.js';

const MAX_BYTES = 32 * 1024 * 1024;
/** Of each text or object, beside what it holds. */
const OVERHEAD_BYTES = 50;

/** While it is asked a promise, then the answer alone: a promise would keep what the first asker's call ran in. */
type Entry<Answer> = { asked: Promise<Answer> } | { answer: Answer };

export interface Memoized<Answer, Rest extends unknown[]> {
  (key: string, ...rest: Rest): Promise<Answer>;
  /** Keeps nothing of before under this key, or under any: not even what is being asked at this moment. */
  forget(key?: string): void;
}

/**
 * Asks at most once in `ttlMs` for each key, however many callers wait; failures and undefined are not kept. The time runs from the
 * question: an answer is never older than it looks. At most `max` answers and 32 MiB are kept. For what every call reads;
 * where a stale answer would open a gate, `ttlMs` is at most 1,000. `rest` is for the question alone: the same for the same key.
 * A question takes at most `limitMs`, 10 s unless said otherwise.
 */
export function memoize<Answer, Rest extends unknown[] = []>(
  { ttlMs, max = 10_000, limitMs }: { ttlMs: number; max?: number; limitMs?: number },
  ask: (key: string, ...rest: Rest) => Promise<Answer>,
): Memoized<Answer, Rest> {
  // Resolution 0: the clock is read at each look. Else each cache sets a timer a millisecond, which costs more.
  const times = { ttl: ttlMs, ttlResolution: 0 };
  const known = new LRUCache<string, Entry<Answer>>({ max, ...times, maxSize: MAX_BYTES, sizeCalculation: bytesOf });

  const askFor = async (key: string, rest: Rest): Promise<Answer> => {
    const asked = detached(() => ask(key, ...rest), limitMs);
    const entry = { asked };
    const start = performance.now();
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

/** Roughly. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD_BYTES + 2 * value.length;
  if (value instanceof Uint8Array) return OVERHEAD_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, inner) => sum + sizeOf(inner), OVERHEAD_BYTES);
}
