import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { type VNode } from 'preact';
import { acceptsGzip, sendGzip } from '../http/accepts.js';
import { PAGE_HEADERS, type PageKit, pageText } from './kit/page-kit.js';
import { en } from './words/en.js';

type Kit = Pick<PageKit, 'site' | 'stylesheet'>;

interface Guide {
  title: string;
  html: string;
  isIndex: boolean;
}

interface Text {
  plain: Buffer;
  zipped: Buffer;
}

const PATH = '/docs/guides';
/** The page of docs/ that lists all other pages. It is served at PATH, without a name. */
const INDEX = 'README.html';

/**
 * Serves the pages of docs/, which document/guides.mjs wrote as HTML, and an index of them. Like the API reference they require no key, so each page
 * is rendered and compressed once, and all responses share it.
 */
export function guidePages(kit: Kit, folder: string): Router {
  const guides = readGuides(folder);
  const texts = new Map<Guide, Text>();
  return Router().get([PATH, `${PATH}/{*name}`], (request, response, next) => {
    const guide = guides.get(request.path.slice(PATH.length + 1));
    if (!guide) return next();
    const text = texts.get(guide) ?? toText(kit, guide);
    texts.set(guide, text);
    send(request, response, text);
  });
}

/** Returns the guides by the part of their path after PATH. */
function readGuides(folder: string): ReadonlyMap<string, Guide> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  return new Map(
    names.sort().map((name): [string, Guide] => {
      const html = readFileSync(join(folder, name), 'utf8');
      if (name === INDEX) return ['', { title: 'Guides', html, isIndex: true }];
      const [, title = name] = /<h1[^>]*>(.*?)<\/h1>/.exec(html) ?? [];
      return [name.slice(0, -'.html'.length), { title: title.replace(/<[^>]*>/g, ''), html, isIndex: false }];
    }),
  );
}

function toText(kit: Kit, guide: Guide): Text {
  const { title, isIndex } = guide;
  const body = isIndex ? index(kit, guide) : article(kit, guide);
  const plain = Buffer.from(pageText(kit, { title, body, isWide: true, words: en }));
  return { plain, zipped: gzipSync(plain) };
}

function send(request: Request, response: Response, { plain, zipped }: Text): void {
  response.set({ ...PAGE_HEADERS, 'Cache-Control': 'public, max-age=300', Vary: 'Accept-Encoding' }).type('html');
  if (acceptsGzip(request)) sendGzip(response, zipped);
  else response.send(plain);
}

function index({ site }: Kit, guide: Guide): VNode {
  // The links become absolute, because relative links would lead to wrong paths if the URL ends in a slash.
  const html = guide.html.replaceAll('href="guides/', `href="${site.path(PATH)}/`);
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

function article({ site }: Kit, { html }: Guide): VNode {
  return (
    <>
      <nav class="trail" aria-label="Documentation">
        <a href={site.path(PATH)}>All guides</a> <a href={site.path('/docs')}>API reference</a>
      </nav>
      <article class="prose" dangerouslySetInnerHTML={{ __html: html }} />
    </>
  );
}
