import { LRUCache } from 'lru-cache';
import { currentContext, runInContext } from './context.js';

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/**
 * Asks at most once in `ttlMs` for each key, however many callers wait; failures are not kept. The time runs from the
 * question: an answer is never older than it looks. For what every call reads; where a stale answer would open a gate,
 * `ttlMs` is at most 1,000.
 */
export function remember<Answer>(
  { ttlMs, max = 10_000 }: { ttlMs: number; max?: number },
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const known = new LRUCache<string, Promise<Answer>>({ max, ttl: ttlMs });
  return (key) => {
    const remembered = known.get(key);
    if (remembered) return remembered;
    const answer = detached(() => ask(key));
    known.set(key, answer);
    answer.catch(() => known.peek(key) === answer && known.delete(key));
    return answer;
  };
}

/** The answer is for all who wait: the first asker hanging up must not take it from the others. */
function detached<T>(work: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context) return work();
  return runInContext({ ...context, signal: NEVER, deadline: Date.now() + ASK_MS }, work);
}
