import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { currentContext } from '@drawbridge/rpc';
import { QueueFullError, type Release, slotRefused, TenantLimiter } from '@drawbridge/turns';

/** The scrypt cost that the password storage cheat sheet of OWASP recommends: 32 MiB and about 0.2 s for each password. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * The slots of this process for computing hashes. Unknown clients leave one processor free, and cannot take the slot for users who are known by their
 * browser, network, session or invitation. All slots together use at most three of the four threads of libuv, because opening a connection to
 * PostgreSQL needs one of them.
 */
const strangers = new TenantLimiter({ atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)), waiting: 100 });
const known = new TenantLimiter({ atOnce: 1, waiting: 100 });
const NEVER = new AbortController().signal;
const RETRY_AFTER_SECONDS = 10;
/**
 * Maximum wait for a slot, in milliseconds. It is half of the default timeout of callers (10 s), so that they receive an error response. After a
 * timeout, a caller would not know whether the request succeeded.
 */
const MAX_WAIT_MS = 5_000;
/** Time, in milliseconds, that must remain after the wait to compute a hash. */
const WORK_MS = 1_000;

const deriveAtOnce = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** The client that sends a password. The queue is fair between networks, so that many requests from one network do not delay other networks. */
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

/** Computes a hash in a slot. Throws RATE_LIMITED if too many requests wait or the wait is too long, and TIMEOUT if the caller disconnected. */
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
  // Limits the wait by the deadline of the request too, because changing a password waits twice: to check the old password and to hash the new one.
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
 * Hashes a password with scrypt (RFC 7914) and a new salt, in one of the slots. The format is `scrypt$N=32768,r=8,p=3$<salt>$<hash>` in Base64. The
 * cost is stored with the hash, so that the cost can be increased while old hashes stay valid. Throws RATE_LIMITED.
 */
export async function hashPassword(password: string, who = NOWHERE): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive({ password, salt, bytes: HASH_BYTES, cost: { ...COST, maxmem: MAX_MEMORY } }, who);
  const cost = Object.entries(COST).map(([name, value]) => `${name}=${value}`);
  return `scrypt$${cost.join(',')}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Returns whether the hash belongs to the password. Returns false for a hash in another format. Throws RATE_LIMITED. */
export async function isPassword(password: string, stored: string, who = NOWHERE): Promise<boolean> {
  const [, n, r, p, salt, hash] = /^scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (!salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: MAX_MEMORY };
  const work = { password, salt: Buffer.from(salt, 'base64'), bytes: expected.length, cost };
  return timingSafeEqual(await derive(work, who), expected);
}
