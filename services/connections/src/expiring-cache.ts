import { LRUCache } from 'lru-cache';

export interface ExpiringCache<V> {
  /** What is kept under the key, or what `ask` answers now; undefined is not kept. */
  find(key: string, ask: () => Promise<V | undefined>): Promise<V | undefined>;
  /** Keeps nothing of before, not even what is being asked at this moment. */
  forget(): void;
}

/** Keeps what was found, its time counted from the question: nothing is older than it looks. */
export function expiringCache<V extends NonNullable<unknown>>(
  options: LRUCache.Options<string, V, unknown>,
): ExpiringCache<V> {
  const cache = new LRUCache<string, V>(options);
  let forgotten = 0;
  return {
    async find(key, ask) {
      const kept = cache.get(key);
      if (kept !== undefined) return kept;
      const before = forgotten;
      const start = performance.now();
      const answer = await ask();
      if (answer !== undefined && before === forgotten) cache.set(key, answer, { start });
      return answer;
    },
    forget() {
      forgotten++;
      cache.clear();
    },
  };
}
