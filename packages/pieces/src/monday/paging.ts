import { type JsonObject, listAt, member, type Paging, textAt } from '@drawbridge/piece-kit';
import { NEXT_ITEMS } from './documents.js';
import { ask } from './request.js';

export const PAGE = 100;

/** Pages the items of a board. The cursor is valid for an hour: https://developer.monday.com/api-reference/reference/items-page */
export const itemsPaging: Paging = {
  items: (body) => listAt(pageOf(body), 'items'),
  next: ({ body }) => {
    const cursor = textAt(pageOf(body), 'cursor');
    return cursor ? ask(NEXT_ITEMS, { cursor, limit: PAGE }) : undefined;
  },
};

const pageOf = (body: unknown) =>
  member(body, 'data', 'next_items_page') ?? member(body, 'data', 'boards', 0, 'items_page') ?? null;

/** Pages a list by the variable `page`. A page with fewer items than `limit` ends the list. */
export function pagesOf(name: string): Paging {
  const items = (body: unknown) => listAt(body, 'data', name);
  return {
    items,
    next: ({ request, body }) => {
      const { query, variables } = request.json as { query: string; variables: JsonObject };
      const { limit, page } = variables;
      return items(body).length < Number(limit) ? undefined : ask(query, { ...variables, page: Number(page) + 1 });
    },
  };
}
