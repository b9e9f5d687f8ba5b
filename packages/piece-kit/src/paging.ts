import { parseUrl } from '@drawbridge/contracts';
import { type Answer } from './answer.js';
import { type HttpRequest } from './http.js';
import { type JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';

/** Describes how a provider pages a list. */
export interface Paging {
  items(body: JsonValue): readonly JsonValue[];
  /** Returns the request for the next page; undefined after the last page. */
  next(page: Page): HttpRequest | undefined;
}

export interface Page {
  /** The request of the page and its URL before redirects. */
  request: HttpRequest;
  url: string;
  answer: Answer;
  body: JsonValue;
}

/** Bounds the number of requests: a provider can return empty pages endlessly. */
const MAX_PAGES = 100;

/**
 * Yields at most `limit` items of a list, and loads each page only when one of its items is needed. Throws as `http.json` does, and
 * ProviderError for a page that names itself as the next one. After 100 pages it throws ProviderError instead of ending, so that no item
 * is omitted silently; the items so far are already yielded.
 */
export async function* pagesOf(
  ask: (request: HttpRequest) => Promise<Page>,
  first: HttpRequest,
  { limit, paging }: { limit: number; paging: Paging },
): AsyncGenerator<JsonValue, void, undefined> {
  let request: HttpRequest | undefined = first;
  let left = limit;
  for (let pages = 0; request && left > 0 && pages < MAX_PAGES; pages++) {
    const page: Page = await ask(request);
    const items = paging.items(page.body).slice(0, left);
    yield* items;
    left -= items.length;
    request = left > 0 ? requireOther(paging.next(page), page) : undefined;
  }
  if (request && left > 0) {
    const message = `The list has more than ${MAX_PAGES} pages. Narrow the request: fewer than ${limit} items were found in them`;
    throw new ProviderError(message, { code: 'TOO_MANY_PAGES' });
  }
}

function requireOther(next: HttpRequest | undefined, { request }: Page): HttpRequest | undefined {
  if (next && JSON.stringify(next) === JSON.stringify(request)) {
    throw new ProviderError('The provider returned the current page as the next page');
  }
  return next;
}

/** Matches a link of the header and its parameters (RFC 8288, section 3). Commas within targets and quoted texts do not end a link. */
const PARAMETER = /\s*;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/;
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, 'g');
const PARAMETERS = new RegExp(PARAMETER, 'g');

/**
 * Returns the request for the next page of a Link header (RFC 8288). Throws ProviderError if it has another origin than this request:
 * the piece, not a response, decides where the credential is sent.
 */
export function linkNext({ answer, request, url }: Page): HttpRequest | undefined {
  const target = relation(answer.headers['link'] ?? '', 'next');
  if (target === undefined) return undefined;

  const next = parseUrl(target, answer.url);
  if (next?.origin !== new URL(url).origin)
    throw new ProviderError('The provider returned a next page at another origin');
  const hasOrigin = request.path.startsWith('/');
  return { ...request, path: hasOrigin ? next.pathname + next.search : next.href, query: undefined };
}

/** Returns the target of the first link with a relation. A link's first `rel` counts, and may list several relations. */
function relation(header: string, name: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETERS)].find(([, key]) => key?.toLowerCase() === 'rel');
    if ((rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/).includes(name)) return target;
  }
  return undefined;
}
