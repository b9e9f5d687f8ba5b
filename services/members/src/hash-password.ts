import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { currentContext } from '@drawbridge/rpc';
import { QueueFullError, type Release, slotRefused, TenantLimiter } from '@drawbridge/turns';

/** The scrypt cost that OWASP's password storage cheat sheet recommends: 32 MiB and about 0.2 s for each password. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Slots of this process. Unknown clients leave one processor free, and cannot take the slot of users who are known by their browser, network, session
 * or invitation. Together they use at most three of libuv's four threads, because a new connection to PostgreSQL needs one, too.
 */
const strangers = new TenantLimiter({ atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)), waiting: 100 });
const known = new TenantLimiter({ atOnce: 1, waiting: 100 });
const NEVER = new AbortController().signal;
const RETRY_AFTER_SECONDS = 10;
/** Half of the 10 s that callers wait by default, so that they receive a refusal and not a timeout, which leaves the outcome unknown. */
const MAX_WAIT_MS = 5_000;
/** The time left to derive a password after its wait. */
const WORK_MS = 1_000;

const deriveAtOnce = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The client of the password check. Clients of one network wait for each other first. */
export interface Waiting {
  isKnown: boolean;
  network: string;
}

const NOWHERE: Waiting = { isKnown: false, network: '' };

interface Work {
  password: string;
  salt: Buffer;
  bytes: number;
  cost: ScryptOptions;
}

/** Waits for a slot. Throws RATE_LIMITED if too many wait or the wait is too long, TIMEOUT if the caller disconnected. */
async function derive({ password, salt, bytes, cost }: Work, who: Waiting): Promise<Buffer> {
  const release = await slotOf(who);
  try {
    return await deriveAtOnce(password, salt, bytes, cost);
  } finally {
    release();
  }
}

async function slotOf({ isKnown, network }: Waiting): Promise<Release> {
  const { signal = NEVER, deadline = Infinity } = currentContext() ?? {};
  // A change of a password waits twice, for the old and the new one.
  const waitMs = Math.min(MAX_WAIT_MS, deadline - Date.now() - WORK_MS);
  const tooLong = new AbortController();
  const timer = setTimeout(() => tooLong.abort(new QueueFullError('The wait was too long')), waitMs);
  try {
    return await (isKnown ? known : strangers).acquire('', AbortSignal.any([signal, tooLong.signal]), network);
  } catch (cause) {
    throw slotRefused(cause, 'Too many passwords are being checked; try again', RETRY_AFTER_SECONDS);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Hashes with scrypt (RFC 7914) and a fresh salt, in one of the few slots: `scrypt$N=32768,r=8,p=3$<salt>$<hash>`, base64. The cost is stored with
 * the hash, so that it can rise while old hashes stay valid. Throws RATE_LIMITED.
 */
export async function hashPassword(password: string, who = NOWHERE): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive({ password, salt, bytes: HASH_BYTES, cost: { ...COST, maxmem: MAX_MEMORY } }, who);
  const cost = Object.entries(COST).map(([name, value]) => `${name}=${value}`);
  return `scrypt$${cost.join(',')}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Returns whether the hash is of that password; false for a hash in another format. Throws RATE_LIMITED. */
export async function isPassword(password: string, stored: string, who = NOWHERE): Promise<boolean> {
  const [, n, r, p, salt, hash] = /^scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (!salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: MAX_MEMORY };
  const work = { password, salt: Buffer.from(salt, 'base64'), bytes: expected.length, cost };
  return timingSafeEqual(await derive(work, who), expected);
}
