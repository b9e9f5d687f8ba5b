import type { HttpRequest } from './http.js';
import type { JsonValue } from './json.js';
import { ProviderError } from './provider-error.js';
import type { Answer } from './send.js';

/** How a third party cuts a list into pages. */
export interface Paging {
  items(body: JsonValue): readonly JsonValue[];
  /** What asks for the page after this one; undefined: it was the last. */
  next(page: Page): HttpRequest | undefined;
}

export interface Page {
  /** What asked for it, and whom: redirects come later. */
  request: HttpRequest;
  url: string;
  answer: Answer;
  body: JsonValue;
}

/** Whatever a third party says comes next: pages may be empty. */
const MAX_PAGES = 100;

/**
 * The items of a list, page by page: at most `limit`, of at most 100 pages, and no page is asked for before one of its items is
 * wanted. Throws as `http.json` does, and ProviderError for a page that names itself as the next, and where the list goes on after 100 pages:
 * its items were yielded by then, and none is left out in silence.
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
