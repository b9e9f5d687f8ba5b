import { randomBytes } from 'node:crypto';
import { type Request, type Response } from 'express';
import { connectCookie, CONNECT_COOKIE, forgetOldest } from '../../auth/secret-cookies.js';
import { type Site } from '../../http/site.js';

/** A browser in which the link of a session was opened. */
export interface Visit {
  token: string;
  /** It alone has it: who was sent to a provider comes back with it. */
  secret: string;
  /** Of the page that opened it, if that said so. */
  opener?: string;
}

const SECRET_BYTES = 32;
/** What ends a session asks a provider, whose token endpoint may take 30 s. */
export const ENDING = { timeoutMs: 45_000 };

/** The token leaves the address: from here on the browser has it. Who opens the link again keeps the secret. */
export function openVisit(
  { request, response, site }: { request: Request; response: Response; site: Site },
  sessionId: string,
  { token, opener }: Pick<Visit, 'token' | 'opener'>,
): void {
  forgetOldest(CONNECT_COOKIE, { request, response, site });
  const secret = readVisit(request, site, sessionId)?.secret ?? randomBytes(SECRET_BYTES).toString('base64url');
  const parts = [token, secret, Buffer.from(opener ?? '').toString('base64url')];
  connectCookie(site, sessionId).set(response, parts.join('.'));
}

export function readVisit(request: Request, site: Site, sessionId: string): Visit | undefined {
  const [token, secret, opener = ''] = connectCookie(site, sessionId).read(request)?.split('.') ?? [];
  if (!token || !secret) return undefined;
  return { token, secret, opener: toOrigin(Buffer.from(opener, 'base64url').toString()) };
}

/** Of a page: where it says that it is, in the link; else where its browser says so. */
export function openerOf(request: Request): string | undefined {
  const { origin } = request.query;
  return toOrigin(typeof origin === 'string' ? origin : request.get('referer'));
}

export function toOrigin(text: string | undefined): string | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
