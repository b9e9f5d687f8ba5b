import { ApiError } from '@drawbridge/contracts';
import { type Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE = 60;
const KNOWN_SECONDS = 30 * 86_400;

/** What may happen before one has to wait, and for how long it is counted. */
const BOUNDS = {
  /** Of one account from one network: a person who has forgotten. */
  pair: { points: 10, duration: 15 * MINUTE },
  /** Of one network: one who tries many accounts. */
  network: { points: 50, duration: 15 * MINUTE },
  /** Of one account, from networks in which nobody signed in to it lately: many who try one. */
  strangers: { points: 100, duration: 60 * MINUTE },
};

/** Each fills somebody's mailbox. One network's, in two hours that touch, are fewer than what strangers may ask for. */
const LINK_BOUNDS: typeof BOUNDS = {
  pair: { points: 5, duration: 60 * MINUTE },
  network: { points: 20, duration: 15 * MINUTE },
  strangers: { points: 12, duration: 60 * MINUTE },
};

/** Of one account, whoever it was: a program that signs in without end. What is beyond it counts as failed. */
const ENTERED = { points: 100, duration: 15 * MINUTE };

export interface Attempts {
  /**
   * Counts an attempt, before it is known how it ends: many at once are counted as well. Throws RATE_LIMITED. What it
   * returns is called when it has succeeded, before anything is made of that: it is no failure then, but throws RATE_LIMITED
   * when too many have.
   */
  begin(email: string, network: string): Promise<() => Promise<void>>;
  /** Somebody has signed in to the account from there. */
  remember(email: string, network: string): Promise<void>;
}

/**
 * Failures, counted in PostgreSQL so that all processes share them. A stranger who fails for an account, from however many
 * addresses, never keeps its owner out: networks from which that account was entered lately are not strangers.
 */
export const attempts = (pool: Pool): Attempts => counted(pool, BOUNDS, '');

/** Emailed links that were asked for, in the same manner. */
export const askedLinks = (pool: Pool): Attempts => counted(pool, LINK_BOUNDS, 'link-');

function counted(pool: Pool, bounds: typeof BOUNDS, prefix: string): Attempts {
  const limiter = (name: string, bound: { points: number; duration: number }): RateLimiterPostgres =>
    new RateLimiterPostgres({ ...TABLE, storeClient: pool, keyPrefix: name, ...bound });
  const [pair, network, strangers] = [
    limiter(`${prefix}pair`, bounds.pair),
    limiter(`${prefix}network`, bounds.network),
    limiter(`${prefix}strangers`, bounds.strangers),
  ];
  const entered = limiter('entered', ENTERED);
  const known = limiter('known', { points: 1, duration: KNOWN_SECONDS });
  const remember = async (email: string, address: string): Promise<void> => {
    await known.set(`${email} ${address}`, 1, KNOWN_SECONDS);
  };
  return {
    remember,
    async begin(email, address) {
      const both = `${email} ${address}`;
      const isKnown = (await known.get(both)) !== null;
      const windows: [RateLimiterPostgres, string][] = [
        [pair, both],
        [network, address],
      ];
      if (!isKnown) windows.push([strangers, email]);
      // One after the other: what a narrower bound refuses is not counted in a wider one, which would keep others out.
      for (const [one, key] of windows) await one.consume(key).catch(refuse);
      return async () => {
        await entered.consume(email).catch(refuse);
        await Promise.all([pair.delete(both), ...windows.slice(1).map(([one, key]) => one.reward(key))]);
        await remember(email, address);
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
