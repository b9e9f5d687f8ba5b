import { type Brand } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type ComponentChildren, type VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { type RateLimits } from '../../admission/rate-limits.js';
import { type SecretCookie } from '../../auth/secret-cookies.js';
import { type Clients } from '../../clients.js';
import { type Site } from '../../http/site.js';
import { type Words } from '../words/en.js';
import { wordsOf } from '../words/words-of.js';
import { ICON_URL } from './icon.js';
import { Bridge, Emblem } from './marks.js';
import { openerPolicy } from './opener-policy.js';
import { brandPath, type Stylesheet } from './stylesheet.js';

/** The dependencies that all pages share. */
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
  /** The title of the tab. The name of the organization or of the product is appended to it. */
  title: string;
  body: ComponentChildren;
  /** The brand of the organization that the page is about, if any. */
  brand?: Brand;
  /** Shown in the header next to the name, such as the sign-out button. */
  aside?: VNode;
  /** A wide layout; the default is one narrow card. */
  isWide?: boolean;
  /** Headers that replace the default ones. */
  headers?: Record<string, string>;
}

/** A redirect to a path of this site (`to`), or to another site (`away`). */
export type Onward = { to: string } | { away: string };

/** The request for a page. */
export interface Asked {
  request: Request;
  response: Response;
  words: Words;
  /** Returns a path as browsers request it: BASE_URL may contain a folder. */
  path(path: string): string;
}

/** Returns the content of a page, or a redirect. */
export type Answer = (asked: Asked) => Promise<PageAnswer | Onward>;

export type PageRoute = [method: 'get' | 'post', path: string | RegExp, answer: Answer];

/** Serves pages at their paths. */
export function pageRoutes(kit: PageKit, routes: PageRoute[]): Router {
  const router = Router();
  for (const [method, path, answer] of routes) router[method](path, page(kit, answer));
  return router;
}

/**
 * Returns the handler of a page. Unless the page sets other headers, it loads only the stylesheet of this site, runs no script, and is neither framed
 * nor cached.
 */
function page(kit: PageKit, answer: Answer): RequestHandler {
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
    .set({ ...PAGE_HEADERS, 'Cross-Origin-Opener-Policy': openerPolicy(response.req), ...headers })
    .status(status)
    .type('html');
  response.send(pageText(kit, { ...shown, words }));
}

type ShownPage = Omit<PageAnswer, 'status' | 'headers'> & { words: Words };

/** Returns the HTML of a page. */
export function pageText({ site, stylesheet }: Pick<PageKit, 'site' | 'stylesheet'>, shown: ShownPage): string {
  return `<!doctype html>${render(<Document {...shown} path={site.path} stylesheet={stylesheet.path} />)}`;
}

/** Returns a page with one message, and optionally a link, on a card. A text is shown as a paragraph. */
export function messagePage({ title, text }: Said, { link, ...page }: Message): PageAnswer {
  const body = (
    <section class="card">
      <h1>{title}</h1>
      {typeof text === 'string' ? <p>{text}</p> : text}
      {link}
    </section>
  );
  return { title, body, ...page };
}

type Said = { title: string; text: string | VNode };

type Message = Omit<PageAnswer, 'title' | 'body'> & { link?: VNode };

/**
 * Returns the content security policy of a page. `script` is the hash of the only script that may run. `forms` are the addresses to which forms may be
 * sent, including those of all redirects after a form.
 */
export function contentPolicy({ script = "'none'", forms = 'own' }: Permissions = {}): string {
  return [
    "default-src 'none'",
    `script-src ${script}`,
    "style-src 'self'",
    'img-src data:', // logos are data URLs, so the page loads no image from another host
    ...(forms === 'own' ? ["form-action 'self'"] : []),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

interface Permissions {
  script?: string;
  forms?: 'own' | 'any';
}

export const PAGE_HEADERS = {
  'Content-Security-Policy': contentPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  // With `no-referrer`, a browser would send `Origin: null` with a form, and the check for forms of other sites would reject the form.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language, Cookie',
};

type DocumentProps = ShownPage & Pick<Asked, 'path'> & { stylesheet: string };

/** Renders the frame of every page, with the brand of an organization or of the product. */
function Document({ words, path, stylesheet, title, body, brand, aside, isWide = false }: DocumentProps): VNode {
  return (
    <html lang={words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${brand?.name ?? words.product}`}</title>
        <link rel="icon" href={ICON_URL} />
        <link rel="stylesheet" href={path(stylesheet)} />
        {brand?.color && <link rel="stylesheet" href={path(brandPath(brand.color))} />}
      </head>
      <body class={isWide ? 'wide' : 'narrow'}>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class="top">
          <span class="brand">
            {brand ? <Emblem {...brand} /> : <Bridge />}
            <span class="name">{brand?.name ?? words.product}</span>
          </span>
          {aside}
        </header>
        <main id="content">{body}</main>
        {brand && (
          <footer class="foot">
            <Bridge />
            {words.runsOn}
          </footer>
        )}
      </body>
    </html>
  );
}
