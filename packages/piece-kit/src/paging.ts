import type { HttpRequest } from './http.js';
import type { JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';
import type { Answer } from './send.js';

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
    throw new ProviderError('The provider names the page that it answered as the next one');
  }
  return next;
}
