import { parseUrl } from '@drawbridge/contracts';
import { type Answer, listAt, member } from './answer.js';
import { type HttpRequest } from './http.js';
import { type JsonObject, type JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';

/** Describes how a provider divides a list into pages. */
export interface Paging {
  items(body: JsonValue): readonly JsonValue[];
  /** Returns the request for the next page, or undefined after the last page. */
  next(page: Page): HttpRequest | undefined;
}

export interface Page {
  /** The request of the page and its URL before redirects. */
  request: HttpRequest;
  url: string;
  answer: Answer;
  body: JsonValue;
}

/** Limits the number of requests, because a provider can return empty pages endlessly. */
const MAX_PAGES = 100;

/**
 * Yields at most `limit` items of a list, and loads each page only when one of its items is needed. Throws as `http.json` does, and ProviderError for
 * a page that is its own next page. After 100 pages it throws ProviderError instead of completing, so that no item is omitted silently. The previous
 * items have then already been yielded.
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

/** Matches a link of the header and its parameters (RFC 8288, section 3). A comma within the target or a quoted string does not end the link. */
const PARAMETER = /\s*;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/;
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, 'g');
const PARAMETERS = new RegExp(PARAMETER, 'g');

/**
 * Returns the request for the next page in a Link header (RFC 8288), or undefined. Throws ProviderError if the origin of the next page differs from
 * the origin of this request, because a response must not determine where the credential is sent.
 */
export function linkNext(page: Page): HttpRequest | undefined {
  const target = relation(page.answer.headers['link'] ?? '', 'next');
  return target === undefined ? undefined : requestTo(target, page);
}

/** Returns the request for the URL of a next page. Throws ProviderError if the URL has another origin than this request. */
function requestTo(target: string, { answer, request, url }: Page): HttpRequest {
  const next = parseUrl(target, answer.url);
  if (next?.origin !== new URL(url).origin)
    throw new ProviderError('The provider returned a next page at another origin');
  return { ...request, path: next.href, query: undefined };
}

/**
 * Returns the target of the first link with this relation, or undefined. Only the first `rel` of a link counts, and it may contain several relations.
 */
function relation(header: string, name: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETERS)].find(([, key]) => key?.toLowerCase() === 'rel');
    if ((rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/).includes(name)) return target;
  }
  return undefined;
}

/** The location of a list in a response as a dotted path, such as `data.items`. An empty path means the response itself. */
interface Items {
  items: string;
}

/** The location of a paging parameter in the request. */
interface Parameter {
  param: string;
  /** Default: `query`. */
  in?: 'query' | 'json';
}

/**
 * Pages a list by the token of the next page, which each response contains at a dotted path, such as Google's `nextPageToken`. An empty token or 0
 * ends the list.
 */
export function tokenPaging({ items, next, ...parameter }: Items & Parameter & { next: string }): Paging {
  return {
    items: itemsAt(items),
    next: ({ request, body }) => {
      const token = at(body, next);
      const isToken = typeof token === 'string' || typeof token === 'number';
      return isToken && token ? withParameter(request, parameter, token) : undefined;
    },
  };
}

/**
 * Pages a list by the URL of the next page, which each response contains at a dotted path, such as Microsoft's `@odata.nextLink`. Throws
 * ProviderError if that URL has another origin than the request.
 */
export function urlPaging({ items, next }: Items & { next: readonly string[] | string }): Paging {
  const path = typeof next === 'string' ? next.split('.') : next;
  return {
    items: itemsAt(items),
    next: (page) => {
      const url = member(page.body, ...path);
      return typeof url === 'string' && url !== '' ? requestTo(url, page) : undefined;
    },
  };
}

/** Pages a list by the number of items before a page. `size` is the page size that the requests contain. A page with fewer items ends the list. */
export function offsetPaging({ items, size, ...parameter }: Items & Parameter & { size: number }): Paging {
  const itemsOf = itemsAt(items);
  return {
    items: itemsOf,
    next: ({ request, body }) => {
      const count = itemsOf(body).length;
      return count < size ? undefined : withParameter(request, parameter, numberIn(request, parameter, 0) + count);
    },
  };
}

/** Pages a list by the number of the page, starting at 1. A page with fewer items than `size` ends the list. */
export function numberPaging({ items, size, ...parameter }: Items & Parameter & { size: number }): Paging {
  const itemsOf = itemsAt(items);
  return {
    items: itemsOf,
    next: ({ request, body }) =>
      itemsOf(body).length < size ? undefined : withParameter(request, parameter, numberIn(request, parameter, 1) + 1),
  };
}

const at = (body: JsonValue, path: string): JsonValue | undefined =>
  path === '' ? body : member(body, ...path.split('.'));

const itemsAt =
  (path: string) =>
  (body: JsonValue): JsonValue[] =>
    listAt(body, ...(path === '' ? [] : path.split('.')));

const from = (request: HttpRequest, place: 'query' | 'json') =>
  (place === 'json' ? request.json : request.query) as JsonObject | undefined;

function withParameter(request: HttpRequest, { param, in: place = 'query' }: Parameter, value: JsonValue): HttpRequest {
  return { ...request, [place]: { ...from(request, place), [param]: value } };
}

function numberIn(request: HttpRequest, { param, in: place = 'query' }: Parameter, first: number): number {
  const value = Number(from(request, place)?.[param] ?? first);
  return Number.isFinite(value) ? value : first;
}
