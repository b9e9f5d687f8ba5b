/** Requests one page. `query` contains the query parameters of the call, and the cursor or offset of the page. */
export type RequestPage<Page> = (query: Record<string, unknown>) => Promise<Page>;

/**
 * The response of a list. `await` returns the first page as the API sent it; `for await` goes through the items of all pages and requests each page
 * when it is needed.
 */
export interface List<Page, Item> extends Promise<Page>, AsyncIterable<Item> {
  /** Requests all pages and returns their items, at most `limit` of them. Pass a limit if the list may be long. */
  toArray(limit?: number): Promise<Item[]>;
}

interface AnyPage {
  total?: number;
  nextCursor?: string | null;
}

/** Returns a list that sends its requests when it is awaited or iterated over. `key` is the key of the items in a page. */
export function listOf<Page, Item>(request: RequestPage<Page>, query: object, key: string): List<Page, Item> {
  let first: Promise<Page> | undefined;
  const page = (): Promise<Page> => (first ??= request({ ...query }));
  const items = (): AsyncGenerator<Item> => itemsOf(request, query, key);
  return {
    [Symbol.toStringTag]: 'List',
    then: (...handlers) => page().then(...handlers),
    catch: (handler) => page().catch(handler),
    finally: (handler) => page().finally(handler),
    [Symbol.asyncIterator]: items,
    async toArray(limit = Infinity) {
      const found: Item[] = [];
      if (limit <= 0) return found;
      for await (const item of items()) if (found.push(item) >= limit) break;
      return found;
    },
  };
}

/** Yields the items of all pages. Lists that can be long have a cursor. Other lists have a `total`, and continue at an offset. */
async function* itemsOf<Page, Item>(request: RequestPage<Page>, query: object, key: string): AsyncGenerator<Item> {
  let position: Record<string, unknown> = {};
  let offset = (query as { offset?: number }).offset ?? 0;
  for (;;) {
    const page = await request({ ...query, ...position });
    const items = (page as Record<string, Item[]>)[key] ?? [];
    yield* items;
    const { nextCursor, total = 0 } = page as AnyPage;
    offset += items.length;
    if (nextCursor) position = { cursor: nextCursor };
    else if (nextCursor === null || items.length === 0 || offset >= total) return;
    else position = { offset };
  }
}
