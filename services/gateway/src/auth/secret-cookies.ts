import { randomBytes } from 'node:crypto';
import { parseCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type Site } from '../http/site.js';

/** A session ends by itself before; see members. */
const SESSION_MS = 30 * 86_400_000;
/** A sign-in elsewhere, likewise. */
const FLOW_MS = 10 * 60_000;
/** As long as a link to the portal can work; see connections. */
const PORTAL_MS = 30 * 86_400_000;

/** A request waits no longer; what became of it is shown as long. */
const APPROVAL_MS = 30 * 86_400_000;

/** A connect session lives no longer. */
const CONNECT_MS = 4 * 3_600_000;

/** As long as a person is led from the question to the answer. */
const AUTHORIZE_MS = 3_600_000;

/** A browser that was not used to sign in for as long is a stranger in any case; see members. */
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

/** Where a browser keeps its session's token. */
export const sessionCookie = (site: Where): SecretCookie => secretCookie(site, 'session', SESSION_MS);

/** What says that this browser was sent to an identity provider. */
export const flowCookie = (site: Where): SecretCookie => secretCookie(site, 'sign-in', FLOW_MS);

/** How the names of cookies of connect sessions go on. */
export const CONNECT_COOKIE = 'connect-';

/** What says that the link of this connect session was opened in this browser. */
export const connectCookie = (site: Where, sessionId: string): SecretCookie =>
  secretCookie(site, CONNECT_COOKIE + sessionId, CONNECT_MS);

/** How the names of cookies of links to the portal go on. */
export const PORTAL_COOKIE = 'portal-';

/** What this link of an end user held. */
export const portalCookie = (site: Where, linkId: string): SecretCookie =>
  secretCookie(site, PORTAL_COOKIE + linkId, PORTAL_MS);

/** How the names of cookies of hosted links of approvals go on. */
export const APPROVAL_COOKIE = 'approval-';

/** What says that the hosted link of this request was opened in this browser. */
export const approvalCookie = (site: Where, approvalId: string): SecretCookie =>
  secretCookie(site, APPROVAL_COOKIE + approvalId, APPROVAL_MS);

/** What names this browser, so that strangers cannot use up the attempts of people who signed in by it before. */
export const browserCookie = (site: Where): SecretCookie => secretCookie(site, 'browser', BROWSER_MS);

/** What an email that is shown to be somebody's is shown in. */
export const authorizeCookie = (site: Where): SecretCookie => secretCookie(site, 'authorize', AUTHORIZE_MS);

/** Returns the random secret that a browser keeps in a cookie, for another full lifetime of the cookie. Makes one where there is none. */
export function secretIn(
  cookie: SecretCookie,
  { request, response }: { request: Request; response: Response },
): string {
  const kept = cookie.read(request) ?? '';
  const secret = SECRET.test(kept) ? kept : randomBytes(SECRET_BYTES).toString('base64url');
  cookie.set(response, secret);
  return secret;
}

/** A browser sends all of them with each request. */
const MAX_OF_KIND = 20;

/** Makes room for one more cookie of a kind, whose names begin so: the oldest end, which browsers send first. */
export function forgetOldest(
  kind: string,
  { request, response, site }: { request: Request; response: Response; site: Where },
): void {
  const ids = Object.keys(parseCookie(request.get('cookie') ?? '')).flatMap((name) => name.split(kind)[1] ?? []);
  const tooMany = ids.slice(0, Math.max(0, ids.length - MAX_OF_KIND + 1));
  for (const id of tooMany) secretCookie(site, kind + id, 0).clear(response);
}

/** Out of reach of scripts, of requests of other sites, and over TLS of other hosts. */
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
