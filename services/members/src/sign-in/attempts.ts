import { ApiError } from '@drawbridge/contracts';
import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Pool } from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';

const MINUTE = 60;
const KNOWN_SECONDS = 30 * 86_400;

/** The numbers of allowed failures, and the seconds for which each failure is counted. */
const BOUNDS = {
  /** For one account from one network, or from one browser in which the account was signed in recently. */
  pair: { points: 10, duration: 15 * MINUTE },
  /** From one network, for all accounts that were not signed in from it recently. Limits a client that tries many accounts. */
  network: { points: 50, duration: 15 * MINUTE },
  /** From one network, for all accounts that were signed in from it recently. */
  ownNetwork: { points: 200, duration: 15 * MINUTE },
  /** For one account, from networks and browsers in which it was not signed in recently. Limits many clients that try one account. */
  strangers: { points: 100, duration: 60 * MINUTE },
};

/**
 * The limits for requests of emailed links, because each request sends an email. Even in two adjacent windows, `pair` allows fewer requests than
 * `strangers`, so one network alone cannot lock out all other unknown clients of an account.
 */
const LINK_BOUNDS: typeof BOUNDS = {
  pair: { points: 5, duration: 60 * MINUTE },
  network: { points: 20, duration: 15 * MINUTE },
  ownNetwork: { points: 80, duration: 15 * MINUTE },
  strangers: { points: 12, duration: 60 * MINUTE },
};

/**
 * Maximum number of successful sign-ins of one account, which limits clients that sign in in a loop. Further sign-ins are rejected and count as
 * failures.
 */
const ENTERED = { points: 100, duration: 15 * MINUTE };

/** The origin of an attempt. `id` identifies a browser, and is empty for a browser without the cookie. */
type Origin = Pick<Browser, 'network' | 'id'>;

interface Attempt {
  /** True if the account was signed in within the last 30 days in this browser or from this network. */
  isKnown: boolean;
  /**
   * Records a success, so that the attempt no longer counts as a failure. Should be called before the session is created, because it throws
   * RATE_LIMITED after too many successes.
   */
  succeed(): Promise<void>;
}

export interface Attempts {
  /** Counts an attempt before its outcome is known, so that concurrent attempts are also counted. Throws RATE_LIMITED. */
  begin(email: string, origin: Origin | undefined): Promise<Attempt>;
  /** Records that the account was signed in from this origin. */
  remember(email: string, origin: Origin | undefined): Promise<void>;
}

/**
 * Counts failed sign-ins in PostgreSQL, which all processes share. Unknown clients cannot lock out the owner of an account, because browsers and
 * networks in which the account was signed in recently have separate limits. An email address without an account is counted like any other address,
 * so that responses do not reveal whether it has an account.
 */
export const attempts = (pool: Pool): Attempts => counted(pool, BOUNDS, '');

/** Counts requests for an emailed sign-in link, as `attempts` counts failures. */
export const askedLinks = (pool: Pool): Attempts => counted(pool, LINK_BOUNDS, 'link-');

function counted(pool: Pool, bounds: typeof BOUNDS, prefix: string): Attempts {
  const limiters = limitersOf(pool, bounds, prefix);
  const { pair, strangers, entered, known } = limiters;
  const remember: Attempts['remember'] = async (email, origin = NOWHERE) => {
    const [inBrowser, inNetwork] = keysOf(email, origin);
    const keys = origin.id === '' ? [inNetwork] : [inBrowser, inNetwork];
    await Promise.all(keys.map((key) => known.set(key, 1, KNOWN_SECONDS)));
  };
  return {
    remember,
    async begin(email, origin = NOWHERE) {
      const windows = await windowsOf(limiters, email, origin);
      // Runs sequentially, because an attempt that a narrower limit rejects must not count in a wider limit, which would lock out other clients.
      for (const [one, key] of windows) await one.consume(key).catch(refuse);
      return {
        isKnown: !windows.some(([one]) => one === strangers),
        async succeed() {
          await entered.consume(email).catch(refuse);
          await Promise.all(windows.map(([one, key]) => (one === pair ? one.delete(key) : one.reward(key))));
          await remember(email, origin);
        },
      };
    },
  };
}

function limitersOf(pool: Pool, bounds: typeof BOUNDS, prefix: string) {
  const limiter = (name: string, bound: { points: number; duration: number }): RateLimiterPostgres =>
    new RateLimiterPostgres({ ...TABLE, storeClient: pool, keyPrefix: name, ...bound });
  return {
    pair: limiter(`${prefix}pair`, bounds.pair),
    network: limiter(`${prefix}network`, bounds.network),
    ownNetwork: limiter(`${prefix}own-network`, bounds.ownNetwork),
    strangers: limiter(`${prefix}strangers`, bounds.strangers),
    entered: limiter('entered', ENTERED),
    known: limiter('known', { points: 1, duration: KNOWN_SECONDS }),
  };
}

type Limiters = ReturnType<typeof limitersOf>;

/** Returns the limits that apply to an attempt, each with the key under which the attempt counts, starting with the narrowest limit. */
async function windowsOf(
  { pair, network, ownNetwork, strangers, known }: Limiters,
  email: string,
  origin: Origin,
): Promise<[RateLimiterPostgres, string][]> {
  const [inBrowser, inNetwork] = keysOf(email, origin);
  if (origin.id !== '' && (await known.get(inBrowser))) return [[pair, inBrowser]];
  const narrowest: [RateLimiterPostgres, string] = [pair, inNetwork];
  if (await known.get(inNetwork)) return [narrowest, [ownNetwork, origin.network]];
  return [narrowest, [network, origin.network], [strangers, email]];
}

const NOWHERE: Origin = { network: '', id: '' };

/** Returns the keys under which an account is counted: in this browser, and in this network. */
const keysOf = (email: string, { network, id }: Origin): [string, string] => [`${email} ${id}`, `${email} ${network}`];

const TABLE = {
  storeType: 'pool',
  schemaName: 'members',
  tableName: 'attempts',
  tableCreated: true,
  clearExpiredByTimeout: false, // The retention rules of the service delete expired rows.
};

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  const retryAfter = Math.max(1, Math.ceil(reason.msBeforeNext / 1_000));
  throw new ApiError('RATE_LIMITED', `Too many attempts; try again in ${retryAfter} s`, { details: { retryAfter } });
}
