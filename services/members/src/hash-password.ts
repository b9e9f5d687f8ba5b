import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** What OWASP's password storage cheat sheet asks of scrypt: 32 MiB and about 0.2 s a password. */
const COST = { N: 2 ** 15, r: 8, p: 3 };
const MAX_MEMORY = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/**
 * scrypt (RFC 7914) with a fresh salt, on a thread of its own: `scrypt$N=32768,r=8,p=3$<salt>$<hash>`, base64. What it cost
 * is stored with it, so that the cost can rise and old hashes still be checked.
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
