import { LRUCache } from 'lru-cache';
import { currentContext, runInContext } from './context.js';

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/**
 * Asks at most once in `ttlMs` for each key, however many callers wait; failures are not kept. For what every call reads:
 * where a stale answer would open a gate, `ttlMs` is at most 1,000.
 */
export function remember<Answer extends object>(
  { ttlMs, max = 10_000 }: { ttlMs: number; max?: number },
  ask: (key: string) => Promise<Answer>,
): (key: string) => Promise<Answer> {
  const known = new LRUCache<string, Answer>({ max, ttl: ttlMs, fetchMethod: (key) => detached(() => ask(key)) });
  return async (key) => known.get(key) ?? (await known.forceFetch(key));
}

/** The answer is for all who wait: the first asker hanging up must not take it from the others. */
function detached<T>(work: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context) return work();
  return runInContext({ ...context, signal: NEVER, deadline: Date.now() + ASK_MS }, work);
}
