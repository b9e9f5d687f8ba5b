import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type Site } from '../http/site.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Lifetimes of the cookies, in milliseconds, by kind. For a kind with a trailing hyphen, each id has a separate cookie. */
const LIFETIMES = {
  /** Contains the token of a browser session. Equals the longest lifetime of a session in the members service. */
  session: 30 * DAY,
  /** Proves that this browser was sent to an identity provider. Equals the longest lifetime of a sign-in in the members service. */
  'sign-in': 10 * MINUTE,
  /**
   * Identifies this browser. The members service counts the sign-in attempts of a known browser separately, so that other clients cannot use up the
   * attempts of a user who has signed in with this browser before.
   */
  browser: 30 * DAY,
  /** Binds an email address that a user has verified for OAuth to this browser, from the authorization request until the user's decision. */
  authorize: 60 * MINUTE,
  /** Proves that the link of a connect session was opened in this browser. Equals the longest lifetime of a connect session. */
  'connect-': 240 * MINUTE,
  /** Contains the token of a portal link of an end user. Equals the longest lifetime of a portal link in the connections service. */
  'portal-': 30 * DAY,
  /**
   * Proves that the hosted link of an approval was opened in this browser. Equals the longest time for which an approval can be pending. The link
   * also shows the result of the approval for 30 days.
   */
  'approval-': 30 * DAY,
};

type Kind = keyof typeof LIFETIMES;

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

export interface SecretCookie {
  /** Returns undefined if the browser does not send the cookie. */
  read(request: Request): string | undefined;
  set(response: Response, secret: string): void;
  clear(response: Response): void;
}

type Where = Pick<Site, 'isSecure'>;

/** Returns a cookie that scripts cannot read and that browsers do not send with subrequests of other sites. Over TLS, other hosts cannot set it. */
export function secretCookie({ isSecure }: Where, kind: Kind, id = ''): SecretCookie {
  // With this prefix, a browser rejects the cookie if a sibling host or plain HTTP sets it (RFC 6265bis, 4.1.3.2).
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

/** Returns the random secret in a cookie, or creates a secret. Renews the cookie for its full lifetime. */
export function secretIn(cookie: SecretCookie, { request, response }: Exchange): string {
  const kept = cookie.read(request) ?? '';
  const secret = SECRET.test(kept) ? kept : randomBytes(SECRET_BYTES).toString('base64url');
  cookie.set(response, secret);
  return secret;
}

/** Maximum number of cookies of each kind, because a browser sends all cookies with each request. */
const MAX_OF_KIND = 20;

/** Sets the cookie of an id. Deletes the oldest cookies of its kind if there are too many; browsers send the oldest first. */
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
