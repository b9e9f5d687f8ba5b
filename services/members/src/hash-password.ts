import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
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
