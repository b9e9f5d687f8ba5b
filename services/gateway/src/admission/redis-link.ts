import { describeError, type Background, type Logger } from '@drawbridge/rpc';
import { Redis } from 'ioredis';

/** Timeout of a request to Redis. Only the first requests of an outage wait for it; later requests do not wait. */
const ANSWER_MS = 100;
const LOOK_MS = 500;
const CONNECT_MS = 1_000;

const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  retryStrategy: () => LOOK_MS,
};

/** A Redis connection that does not delay requests during an outage. */
export interface RedisLink extends Background {
  redis: Redis;
  /** Returns the result of `question`, which sends a command, or undefined while Redis is down or slow. */
  ask<T>(question: () => Promise<T>): Promise<{ answer: T } | undefined>;
}

/** Logs when Redis stops responding and when it responds again. During an outage, only a timer sends commands to Redis, so no request waits. */
export function redisLink(url: string, log: Logger): RedisLink {
  const redis = new Redis(url, OPTIONS);
  let isAway = false;
  let isClosed = false;
  const lose = (error?: unknown): void => {
    if (isAway || isClosed) return;
    isAway = true;
    log.warn({ error: describeError(error) }, 'Redis does not respond: each gateway counts rate limits separately');
  };
  const look = async (): Promise<void> => {
    if (!isAway || redis.status !== 'ready' || !(await answered(redis.ping()))) return;
    isAway = false;
    log.info({}, 'Redis responds again: the gateways share rate limits');
  };
  redis.on('error', lose).on('close', () => lose());
  const timer = setInterval(() => void look(), LOOK_MS).unref();

  return {
    redis,
    async ask(question) {
      if (isAway || redis.status !== 'ready') return undefined;
      const said = await answered(question());
      if (!said) lose();
      return said;
    },
    start: async () => redis.connect().catch(lose),
    stop: async () => {
      isClosed = true;
      clearInterval(timer);
      redis.disconnect();
    },
  };
}

/** Resolves to undefined for an error, or if there is no response within ANSWER_MS. */
function answered<T>(asked: Promise<T>): Promise<{ answer: T } | undefined> {
  return new Promise((resolve) => {
    // A response that arrived while this process was busy is still read before the timeout applies.
    const timer = setTimeout(() => setImmediate(resolve, undefined), ANSWER_MS);
    const settle = (said?: { answer: T }): void => {
      clearTimeout(timer);
      resolve(said);
    };
    asked.then(
      (answer) => settle({ answer }),
      () => settle(),
    );
  });
}
