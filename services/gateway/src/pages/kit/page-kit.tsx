import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type Request, type RequestHandler, type Response } from 'express';
import { type ComponentChildren, type VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { type RateLimits } from '../../admission/rate-limits.js';
import { type SecretCookie } from '../../auth/secret-cookies.js';
import { type Clients } from '../../clients.js';
import { type Site } from '../../http/site.js';
import { type Words } from '../words/en.js';
import { wordsOf } from '../words/words-of.js';
import { Document } from './document.js';
import { type Stylesheet } from './stylesheet.js';

/** Dependencies of all pages. */
export interface PageKit {
  clients: Clients;
  cookie: SecretCookie;
  /** The cookie of a sign-in at an identity provider. */
  flowCookie: SecretCookie;
  site: Site;
  stylesheet: Stylesheet;
  limits: Pick<RateLimits, 'countAnonymous'>;
}

export interface PageAnswer {
  status?: number;
  /** The title of the tab; the name of the organization or of the product follows it. */
  title: string;
  body: ComponentChildren;
  /** The brand of the organization that the page is about, if any. */
  brand?: Brand;
  /** Shown in the header beside the name, such as the sign-out button. */
  aside?: VNode;
  /** A wide layout; the default is one narrow card. */
  isWide?: boolean;
  /** Headers that replace the default ones. */
  headers?: Record<string, string>;
}

/** A redirect: to one of our paths, or away to another site. */
export type Onward = { to: string } | { away: string };

/** The request that a page answers. */
export interface Asked {
  request: Request;
  response: Response;
  words: Words;
  /** Returns a path as browsers request it: BASE_URL may contain a folder. */
  path(path: string): string;
}

/**
 * Makes the handler of a page, which returns its content or a redirect. Unless it sets other headers, a page loads only our stylesheet, runs no
 * script, and is neither framed nor cached.
 */
export function page(kit: PageKit, answer: (asked: Asked) => Promise<PageAnswer | Onward>): RequestHandler {
  return async (request, response) => {
    const words = wordsOf(request);
    const answered = await answer({ request, response, words, path: kit.site.path });
    if ('away' in answered) response.set('Referrer-Policy', 'no-referrer').redirect(303, answered.away);
    else if ('to' in answered) response.redirect(303, kit.site.path(answered.to));
    else showPage(kit, response, { ...answered, words });
  };
}

export function showPage(
  kit: PageKit,
  response: Response,
  { status = 200, words, headers, ...shown }: PageAnswer & { words: Words },
) {
  response
    .set({ ...PAGE_HEADERS, ...headers })
    .status(status)
    .type('html');
  const html = render(<Document {...shown} words={words} path={kit.site.path} stylesheet={kit.stylesheet.path} />);
  response.send(`<!doctype html>${html}`);
}

/** `script` is the hash of the one script that may run. `forms` is where a form may lead, redirects included. */
export function contentPolicy(script = "'none'", forms = "'self'"): string {
  return [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'self'",
    'img-src data:', // a logo is a data URL, so no other host learns who opens the page
    `form-action ${forms}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const PAGE_HEADERS = {
  'Content-Security-Policy': contentPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // Not `no-referrer`: with it a browser sends no origin with a form.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language, Cookie',
};
