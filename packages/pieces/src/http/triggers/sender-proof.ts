import { hash } from 'node:crypto';
import { InputError, isSameText, ProviderError, type Credential, type WebhookRequest } from '@drawbridge/piece-kit';
import { authorize } from '../authorize.js';

/** A pseudo header name for the last segment of the URL, which cannot be guessed. */
const ADDRESS = ':address';

interface Wanted {
  auth: Credential | undefined;
  webhookUrl: string;
  /** The headers that events contain. */
  shown: readonly string[];
}

/**
 * Returns the values that requests must contain, as `name=SHA-256` pairs: the headers that the connection would send or, without a connection, the
 * URL. Throws ProviderError for a connection without fixed headers, and InputError if events would contain these headers.
 */
export function proofOf({ auth, webhookUrl, shown }: Wanted): string {
  if (!auth) return pair(ADDRESS, lastPart(webhookUrl));
  if (auth.type === 'OAUTH2' || auth.type === 'PLATFORM_OAUTH2') {
    throw new ProviderError(
      'A catch hook cannot use an OAuth connection, because OAuth tokens change. Use a key, a username and password, or custom headers',
    );
  }
  const wanted = Object.entries(authorize(auth)).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  if (wanted.length === 0 || wanted.some(([, value]) => value === '')) {
    throw new ProviderError(
      'The connection has no headers or an empty header. A catch hook needs non-empty headers to authenticate senders',
    );
  }
  const secret = namesOf(shown).find((name) => wanted.some(([one]) => one === name));
  if (secret) throw new InputError('headers', `must not include ${secret}, because it authenticates the sender`);
  return wanted.map(([name, value]) => pair(name, value)).join(' ');
}

/** Returns whether a request contains all of these values. Compares in constant time and never throws. */
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

/** Hashes the value, because it also gives access to the provider and its hash is sufficient for the comparison. */
const pair = (name: string, value: string): string => `${name}=${hash('sha256', value)}`;

const lastPart = (url: string): string => url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
