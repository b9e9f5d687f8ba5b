import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type Site } from '../http/site.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Lifetimes of the cookies, in milliseconds. A kind that ends in a hyphen has one cookie for each id. */
const LIFETIMES = {
  /** Holds the token of a browser session. The longest lifetime of a session; see members. */
  session: 30 * DAY,
  /** Proves that this browser was sent to an identity provider. The longest lifetime of such a sign-in; see members. */
  'sign-in': 10 * MINUTE,
  /** Identifies this browser, so that strangers cannot use up the attempts of people who signed in with it before; see members. */
  browser: 30 * DAY,
  /** Binds an e-mail address that a person has proven for OAuth to this browser, from the authorization request to the answer of the person. */
  authorize: 60 * MINUTE,
  /** Proves that the link of a connect session was opened in this browser. The longest lifetime of a connect session. */
  'connect-': 240 * MINUTE,
  /** Holds the token of a portal link of an end user. The longest lifetime of a portal link; see connections. */
  'portal-': 30 * DAY,
  /** Proves that the hosted link of an approval was opened in this browser. The longest wait of an approval; its result is shown as long. */
  'approval-': 30 * DAY,
};

type Kind = keyof typeof LIFETIMES;

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

export interface SecretCookie {
  /** Undefined when the browser has none. */
  read(request: Request): string | undefined;
  set(response: Response, secret: string): void;
  clear(response: Response): void;
}

type Where = Pick<Site, 'isSecure'>;

/** Returns a cookie that is hidden from scripts and from subrequests of other sites and, over TLS, cannot be set by other hosts. */
export function secretCookie({ isSecure }: Where, kind: Kind, id = ''): SecretCookie {
  // The prefix makes a browser refuse what a sibling host or plain HTTP would set (RFC 6265bis, 4.1.3.2).
  const name = `${isSecure ? '__Host-' : ''}${kind}${id}`;
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  return {
    read: (request) => parseCookie(request.get('cookie') ?? '')[name],
    set: (response, secret) => void response.cookie(name, secret, { ...attributes, maxAge: LIFETIMES[kind] }),
    clear: (response) => void response.clearCookie(name, attributes),
  };
}

interface Exchange {
  request: Request;
  response: Response;
}

/** Returns the random secret in a cookie, or creates one, and renews the cookie for its full lifetime. */
export function secretIn(cookie: SecretCookie, { request, response }: Exchange): string {
  const kept = cookie.read(request) ?? '';
  const secret = SECRET.test(kept) ? kept : randomBytes(SECRET_BYTES).toString('base64url');
  cookie.set(response, secret);
  return secret;
}

/** A browser sends all cookies with each request, so each kind is limited. */
const MAX_OF_KIND = 20;

/** Sets the cookie of an id. Deletes the oldest cookies of its kind if there are too many: browsers send the oldest first. */
export function setAmong(
  { request, response, site }: Exchange & { site: Where },
  kind: Kind,
  { id, secret }: { id: string; secret: string },
): void {
  const ids = Object.keys(parseCookie(request.get('cookie') ?? '')).flatMap((name) => name.split(kind)[1] ?? []);
  const tooMany = ids.slice(0, Math.max(0, ids.length - MAX_OF_KIND + 1));
  for (const old of tooMany) secretCookie(site, kind, old).clear(response);
  secretCookie(site, kind, id).set(response, secret);
}
