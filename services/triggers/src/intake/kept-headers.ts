import { createHash } from 'node:crypto';

/** They say who asks, not what happened. */
const NEVER = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** What is kept of a request's headers until it is looked into: none that was itself the proof of who sent it. */
export function keptHeaders(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !NEVER.has(name) && !isProof(value, secret)),
  );
}

/** The secret itself, or what the secret is the hash of. */
function isProof(value: string, secret: string): boolean {
  return value.includes(secret) || secret.includes(createHash('sha256').update(value).digest('hex'));
}
