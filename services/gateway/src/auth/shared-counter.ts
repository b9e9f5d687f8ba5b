import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Count } from './rate-limits.js';
import { type RedisLink } from './redis-link.js';

/** Counts of all gateways together; undefined while they can't. */
export interface SharedCounter {
  add(key: string): Promise<Count | undefined>;
  peek(key: string): Promise<Count | undefined>;
}

/** By key in windows of so many seconds, each of which begins with its first count. */
export function sharedCounter(name: string, seconds: number, { redis, ask }: RedisLink): SharedCounter {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: `drawbridge:${name}`,
    points: Number.MAX_SAFE_INTEGER, // what is too much each plan says
    duration: seconds,
  });
  const find = async (question: () => Promise<RateLimiterRes | null>): Promise<Count | undefined> => {
    const said = await ask(question);
    return said && toCount(said.answer, seconds);
  };
  return { add: (key) => find(() => limiter.consume(key)), peek: (key) => find(() => limiter.get(key)) };
}

function toCount(answer: RateLimiterRes | null, seconds: number): Count {
  const { consumedPoints = 0, msBeforeNext = seconds * 1_000 } = answer ?? {};
  return { used: consumedPoints, endsAt: Date.now() + msBeforeNext };
}
