import { parseCookie } from 'cookie';
import { type Request, type Response } from 'express';
import { type Site } from '../http/site.js';

/** A session ends by itself before; see members. */
const MAX_AGE_MS = 30 * 86_400_000;

export interface SessionCookie {
  /** Undefined when the browser has none. */
  read(request: Request): string | undefined;
  set(response: Response, token: string): void;
  clear(response: Response): void;
}

/** Where a browser keeps its session's token: out of reach of scripts, of requests of other sites, and over TLS of other hosts. */
export function sessionCookie({ isSecure }: Pick<Site, 'isSecure'>): SessionCookie {
  // The prefix makes a browser refuse what a sibling host or plain HTTP would set (RFC 6265bis, 4.1.3.2).
  const name = isSecure ? '__Host-session' : 'session';
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  return {
    read: (request) => parseCookie(request.get('cookie') ?? '')[name],
    set: (response, token) => void response.cookie(name, token, { ...attributes, maxAge: MAX_AGE_MS }),
    clear: (response) => void response.clearCookie(name, attributes),
  };
}
