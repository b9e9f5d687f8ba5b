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

/** What pages are made with. */
export interface PageKit {
  clients: Clients;
  cookie: SecretCookie;
  /** Of a sign-in that is under way at an identity provider. */
  flowCookie: SecretCookie;
  site: Site;
  stylesheet: Stylesheet;
  limits: Pick<RateLimits, 'countAnonymous'>;
}

/** One answer of a page. */
export interface PageAnswer {
  status?: number;
  /** In the tab; the organization's name is put behind it, or the product's. */
  title: string;
  body: ComponentChildren;
  /** Of the organization that the page is about, where there is one. */
  brand?: Brand;
  /** Beside the name: who is signed in. */
  aside?: VNode;
  /** A page with much on it; else its body is one narrow card. */
  isWide?: boolean;
  /** In place of those of every page. */
  headers?: Record<string, string>;
}

/** Where to go on: to a path of ours, or away to an identity provider. */
export type Onward = { to: string } | { away: string };

/** What a page knows about the request. */
export interface Asked {
  request: Request;
  response: Response;
  words: Words;
  /** Where a browser asks for a path of ours. */
  path(path: string): string;
}

/**
 * A page's handler: it answers what is shown, or where to go on. Nothing is loaded but our stylesheet, no script runs, nobody
 * may frame it, and nobody keeps it.
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

/** `script`: the one that may run, by its hash. `forms`: where a form may lead in the end. */
export function contentPolicy(script = "'none'", forms = "'self'"): string {
  return [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'self'",
    'img-src data:', // an organization's logo stands in the page: nobody learns who looks at it
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
  // Not `no-referrer`: with it a browser names no origin when a form is sent.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language, Cookie',
};
