import { createHash } from 'node:crypto';
import { InputError, isSameText, ProviderError, type Credential, type WebhookRequest } from '@drawbridge/piece-kit';
import { authorize } from '../authorize.js';

/** In the place of a header's name: the last part of the address, which is not guessed. */
const ADDRESS = ':address';

interface Wanted {
  auth: Credential | undefined;
  webhookUrl: string;
  /** Headers that events are to have. */
  shown: readonly string[];
}

/**
 * What a request must have, as `name=SHA-256` pairs: the headers that the connection would send or, without one, the address. Throws
 * ProviderError for a connection that says nothing that a sender could, InputError where events would show what proves them.
 */
export function proofOf({ auth, webhookUrl, shown }: Wanted): string {
  if (!auth) return pair(ADDRESS, lastPart(webhookUrl));
  if (auth.type === 'OAUTH2' || auth.type === 'PLATFORM_OAUTH2') {
    throw new ProviderError('A catch hook needs a connection whose headers stay the same: the tokens of OAuth change');
  }
  const wanted = Object.entries(authorize(auth)).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  if (wanted.length === 0 || wanted.some(([, value]) => value === '')) {
    throw new ProviderError('The connection has no headers, or empty ones, that a sender could prove itself by');
  }
  const secret = namesOf(shown).find((name) => wanted.some(([one]) => one === name));
  if (secret) throw new InputError('headers', `may not have ${secret}: it proves who sends`);
  return wanted.map(([name, value]) => pair(name, value)).join(' ');
}

/** Whatever the secret is, it answers. Each is compared in constant time. */
export function isProven(request: WebhookRequest, secret: string): boolean {
  const given = (name: string) => (name === ADDRESS ? lastPart(request.url) : headerOf(request, name));
  return secret.split(' ').every((wanted) => {
    const [name = ''] = wanted.split('=');
    return isSameText(pair(name, given(name) ?? ''), wanted);
  });
}

export const headerOf = ({ headers }: WebhookRequest, name: string): string | undefined =>
  Object.hasOwn(headers, name) ? headers[name] : undefined;

export const namesOf = (headers: readonly string[]): string[] => headers.map((name) => name.toLowerCase());

/** Hashed: what proves a sender opens the third party, too, and need not be known to compare. */
const pair = (name: string, value: string): string => `${name}=${createHash('sha256').update(value).digest('hex')}`;

const lastPart = (url: string): string => url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
