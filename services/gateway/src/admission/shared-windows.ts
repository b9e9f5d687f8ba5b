import { atMost } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type RedisLink } from './redis-link.js';

export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;
/** Maximum number of windows in memory, over all kinds of rate limits. The windows that were idle longest are evicted. */
const MAX_WINDOWS = 400_000;

export interface Counting {
  kind: string;
  name: string;
  /** Number of requests to add. 0 only reads the count. */
  more: number;
}

export interface Counted {
  used: number;
  /** Milliseconds until the window ends. */
  msLeft: number;
}

/** The counts that several gateway processes share, in windows of 60 s that begin with the first request. */
export interface SharedWindows {
  /** Resolves to undefined while the counts are not available. */
  look(counting: Counting): Promise<Counted | undefined>;
}

/** Stores the counts in Redis. */
export function redisWindows(link: RedisLink): SharedWindows {
  const limiters = new Map<string, RateLimiterRedis>();
  const limiterOf = (kind: string): RateLimiterRedis => {
    const points = Number.MAX_SAFE_INTEGER; // Redis only counts: RateLimits applies the limit, which differs by organization
    const options = { storeClient: link.redis, keyPrefix: `drawbridge:${kind}`, points, duration: WINDOW_SECONDS };
    const limiter = limiters.get(kind) ?? new RateLimiterRedis(options);
    limiters.set(kind, limiter);
    return limiter;
  };
  return {
    async look({ kind, name, more }) {
      const limiter = limiterOf(kind);
      const said = await link.ask(() => (more > 0 ? limiter.consume(name, more) : limiter.get(name)));
      if (!said) return undefined;
      const { consumedPoints = 0, msBeforeNext = WINDOW_MS } = said.answer ?? {};
      return { used: consumedPoints, msLeft: msBeforeNext };
    },
  };
}

/** Returns a function that counts in the memory of this process. The parent process calls it for the gateway processes that it started. */
export function countWindows(): (counting: Counting) => Counted {
  const windows = new LRUCache<string, { used: number; since: number }>(atMost(MAX_WINDOWS));
  return ({ kind, name, more }) => {
    const key = `${kind} ${name}`;
    const now = performance.now();
    const known = windows.get(key);
    const window = known && now - known.since < WINDOW_MS ? known : { used: 0, since: now };
    window.used += more;
    if (more > 0) windows.set(key, window);
    return { used: window.used, msLeft: window.since + WINDOW_MS - now };
  };
}
