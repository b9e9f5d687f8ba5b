import { createHash } from 'node:crypto';

/** These headers identify the sender, not the event. */
const NEVER = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Returns the headers to store with a request, without those that prove who sent it. */
export function keptHeaders(headers: Readonly<Record<string, string>>, secret: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => !NEVER.has(name) && !isProof(value, secret)),
  );
}

/** True for the secret itself, or a value whose hash is the secret. */
function isProof(value: string, secret: string): boolean {
  return value.includes(secret) || secret.includes(createHash('sha256').update(value).digest('hex'));
}
