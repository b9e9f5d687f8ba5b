import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { ApiError } from '@drawbridge/contracts';
import { currentContext } from '@drawbridge/rpc';
import { QueueFullError, type Release, TenantLimiter } from '@drawbridge/turns';

/** What OWASP's password storage cheat sheet asks of scrypt: 32 MiB and about 0.2 s a password. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * At once in this process: one processor is left to all others. And most of libuv's four threads: a new connection to PostgreSQL
 * needs one, too. Who asks for many waits for their own.
 */
const turns = new TenantLimiter({ atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)), waiting: 100 });
const NEVER = new AbortController().signal;
const RETRY_AFTER_SECONDS = 10;

const deriveAtOnce = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** When it is the turn of the address that asks. Throws RATE_LIMITED when too many wait, TIMEOUT when the caller has left. */
async function derive(password: string, salt: Buffer, bytes: number, cost: ScryptOptions): Promise<Buffer> {
  const release = await turnOf(currentContext() ?? {});
  try {
    return await deriveAtOnce(password, salt, bytes, cost);
  } finally {
    release();
  }
}

async function turnOf({ signal = NEVER, address }: { signal?: AbortSignal; address?: string }): Promise<Release> {
  return turns.acquire('', signal, address).catch((cause: unknown) => {
    const details = { retryAfter: RETRY_AFTER_SECONDS };
    if (cause instanceof QueueFullError)
      throw new ApiError('RATE_LIMITED', 'Too many passwords are being checked; try again', { cause, details });
    throw new ApiError('TIMEOUT', 'The caller left before its turn came', { cause });
  });
}

/**
 * scrypt (RFC 7914) with a fresh salt, on a thread of its own, of which there are few: `scrypt$N=32768,r=8,p=3$<salt>$<hash>`,
 * base64. What it cost is stored with it, so that the cost can rise and old hashes still be checked. Throws RATE_LIMITED.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, HASH_BYTES, { ...COST, maxmem: MAX_MEMORY });
  const cost = Object.entries(COST).map(([name, value]) => `${name}=${value}`);
  return `scrypt$${cost.join(',')}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Whether a hash is that password's. One that was not made here is nobody's. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, n, r, p, salt, hash] = /^scrypt\$N=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (!salt || !hash) return false;
  const expected = Buffer.from(hash, 'base64');
  const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: MAX_MEMORY };
  return timingSafeEqual(await derive(password, Buffer.from(salt, 'base64'), expected.length, cost), expected);
}
