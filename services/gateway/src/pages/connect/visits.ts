import { randomBytes } from 'node:crypto';
import { type Request, type Response } from 'express';
import { secretCookie, setAmong } from '../../auth/secret-cookies.js';
import { type Site } from '../../http/site.js';

/** A connect session in the browser that opened its link. */
export interface Visit {
  token: string;
  /** A secret that only this browser has. It proves that the same browser returns from the provider. */
  secret: string;
  /** The origin of the page that opened the link, if known. */
  opener?: string;
}

const SECRET_BYTES = 32;
/** Timeout of calls that complete a session. They wait for the token endpoint of the provider, which may take 30 s. */
export const ENDING = { timeoutMs: 45_000 };

/** Stores the token of the link in a cookie. If the link is opened again, the secret stays the same, so that a sign-in in progress can complete. */
export function openVisit(
  { request, response, site }: { request: Request; response: Response; site: Site },
  sessionId: string,
  { token, opener }: Pick<Visit, 'token' | 'opener'>,
): void {
  const secret = readVisit(request, site, sessionId)?.secret ?? randomBytes(SECRET_BYTES).toString('base64url');
  const parts = [token, secret, Buffer.from(opener ?? '').toString('base64url')];
  setAmong({ request, response, site }, 'connect-', { id: sessionId, secret: parts.join('.') });
}

export function readVisit(request: Request, site: Site, sessionId: string): Visit | undefined {
  const [token, secret, opener = ''] = secretCookie(site, 'connect-', sessionId).read(request)?.split('.') ?? [];
  if (!token || !secret) return undefined;
  return { token, secret, opener: toOrigin(Buffer.from(opener, 'base64url').toString()) };
}

/** Returns the origin of the opening page: the origin in the link, or else that of the Referer header. */
export function openerOf(request: Request): string | undefined {
  const { origin } = request.query;
  return toOrigin(typeof origin === 'string' ? origin : request.get('referer'));
}

export function toOrigin(text: string | undefined): string | undefined {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
