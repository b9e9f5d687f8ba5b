import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type Site } from '../http/site.js';

/** The longest lifetime of a session; see members. */
const SESSION_MS = 30 * 86_400_000;
/** The longest lifetime of a sign-in at an identity provider; see members. */
const FLOW_MS = 10 * 60_000;
/** The longest lifetime of a portal link; see connections. */
const PORTAL_MS = 30 * 86_400_000;

/** The longest wait of an approval request; its result is shown as long. */
const APPROVAL_MS = 30 * 86_400_000;

/** The longest lifetime of a connect session. */
const CONNECT_MS = 4 * 3_600_000;

/** Time limit from an OAuth authorization request to the answer of the person. */
const AUTHORIZE_MS = 3_600_000;

/** A browser that was not used to sign in for this long is unknown anyway; see members. */
const BROWSER_MS = 30 * 86_400_000;

const SECRET_BYTES = 32;
const SECRET = /^[\w-]{43}$/;

export interface SecretCookie {
  /** Undefined when the browser has none. */
  read(request: Request): string | undefined;
  set(response: Response, secret: string): void;
  clear(response: Response): void;
}

type Where = Pick<Site, 'isSecure'>;

/** Holds the token of a browser session. */
export const sessionCookie = (site: Where): SecretCookie => secretCookie(site, 'session', SESSION_MS);

/** Proves that this browser was sent to an identity provider. */
export const flowCookie = (site: Where): SecretCookie => secretCookie(site, 'sign-in', FLOW_MS);

/** Prefix of the cookie names of connect sessions. */
export const CONNECT_COOKIE = 'connect-';

/** Proves that the link of this connect session was opened in this browser. */
export const connectCookie = (site: Where, sessionId: string): SecretCookie =>
  secretCookie(site, CONNECT_COOKIE + sessionId, CONNECT_MS);

/** Prefix of the cookie names of portal links. */
export const PORTAL_COOKIE = 'portal-';

/** Holds the token of this portal link of an end user. */
export const portalCookie = (site: Where, linkId: string): SecretCookie =>
  secretCookie(site, PORTAL_COOKIE + linkId, PORTAL_MS);

/** Prefix of the cookie names of hosted approval links. */
export const APPROVAL_COOKIE = 'approval-';

/** Proves that the hosted link of this approval was opened in this browser. */
export const approvalCookie = (site: Where, approvalId: string): SecretCookie =>
  secretCookie(site, APPROVAL_COOKIE + approvalId, APPROVAL_MS);

/** Identifies this browser, so that strangers cannot use up the attempts of people who signed in with it before. */
export const browserCookie = (site: Where): SecretCookie => secretCookie(site, 'browser', BROWSER_MS);

/** Binds an e-mail address that a person has proven for OAuth to this browser. */
export const authorizeCookie = (site: Where): SecretCookie => secretCookie(site, 'authorize', AUTHORIZE_MS);

/** Returns the random secret in a cookie, or creates one, and renews the cookie for its full lifetime. */
export function secretIn(
  cookie: SecretCookie,
  { request, response }: { request: Request; response: Response },
): string {
  const kept = cookie.read(request) ?? '';
  const secret = SECRET.test(kept) ? kept : randomBytes(SECRET_BYTES).toString('base64url');
  cookie.set(response, secret);
  return secret;
}

/** A browser sends all cookies with each request, so each kind is limited. */
const MAX_OF_KIND = 20;

/** Deletes the oldest cookies with this name prefix until one more fits. Browsers send the oldest first. */
export function forgetOldest(
  kind: string,
  { request, response, site }: { request: Request; response: Response; site: Where },
): void {
  const ids = Object.keys(parseCookie(request.get('cookie') ?? '')).flatMap((name) => name.split(kind)[1] ?? []);
  const tooMany = ids.slice(0, Math.max(0, ids.length - MAX_OF_KIND + 1));
  for (const id of tooMany) secretCookie(site, kind + id, 0).clear(response);
}

/** Makes a cookie that is hidden from scripts and from subrequests of other sites and, over TLS, cannot be set by other hosts. */
function secretCookie({ isSecure }: Where, plainName: string, maxAge: number): SecretCookie {
  // The prefix makes a browser refuse what a sibling host or plain HTTP would set (RFC 6265bis, 4.1.3.2).
  const name = isSecure ? `__Host-${plainName}` : plainName;
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  return {
    read: (request) => parseCookie(request.get('cookie') ?? '')[name],
    set: (response, secret) => void response.cookie(name, secret, { ...attributes, maxAge }),
    clear: (response) => void response.clearCookie(name, attributes),
  };
}
