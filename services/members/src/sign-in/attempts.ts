import { ApiError } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE = 60;
const KNOWN_SECONDS = 30 * 86_400;

/** What may fail before it has to wait, and for how long it is counted. */
const BOUNDS = {
  /** Of one account from one network: a person who has forgotten. */
  pair: { points: 10, duration: 15 * MINUTE },
  /** Of one network: one who tries many accounts. */
  network: { points: 50, duration: 15 * MINUTE },
  /** Of one account, from networks in which nobody signed in to it lately: many who try one. */
  strangers: { points: 100, duration: 60 * MINUTE },
};

export interface Attempts {
  /**
   * Counts an attempt, before it is known how it ends: many at once are counted as well. Throws RATE_LIMITED. What it
   * returns is called when it has succeeded: that is not counted.
   */
  begin(email: string, network: string): Promise<() => Promise<void>>;
}

/**
 * Failures, counted in PostgreSQL so that all processes share them. A stranger who fails for an account, from however many
 * addresses, never keeps its owner out: networks from which that account was entered lately are not strangers.
 */
export function attempts(pool: Pool): Attempts {
  const limiter = (name: string, bound: { points: number; duration: number }): RateLimiterPostgres =>
    new RateLimiterPostgres({ ...TABLE, storeClient: pool, keyPrefix: name, ...bound });
  const [pair, network, strangers] = [
    limiter('pair', BOUNDS.pair),
    limiter('network', BOUNDS.network),
    limiter('strangers', BOUNDS.strangers),
  ];
  const known = limiter('known', { points: 1, duration: KNOWN_SECONDS });
  return {
    async begin(email, address) {
      const both = `${email} ${address}`;
      const isKnown = (await known.get(both)) !== null;
      const counted: [RateLimiterPostgres, string][] = [
        [pair, both],
        [network, address],
      ];
      if (!isKnown) counted.push([strangers, email]);
      await Promise.all(counted.map(([one, key]) => one.consume(key).catch(refuse)));
      return async () => {
        await Promise.all([pair.delete(both), ...counted.slice(1).map(([one, key]) => one.reward(key))]);
        await known.set(both, 1, KNOWN_SECONDS);
      };
    },
  };
}

const TABLE = {
  storeType: 'pool',
  schemaName: 'members',
  tableName: 'attempts',
  tableCreated: true,
  clearExpiredByTimeout: false, // the retention of the service does it
};

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  const retryAfter = Math.max(1, Math.ceil(reason.msBeforeNext / 1_000));
  throw new ApiError('RATE_LIMITED', `Too many attempts; try again in ${retryAfter} s`, { details: { retryAfter } });
}
