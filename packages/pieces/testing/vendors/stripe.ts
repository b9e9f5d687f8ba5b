import type { JsonObject } from '@drawbridge/piece-kit';
import { json } from '../run-piece.js';
import type { Recorded, Reply } from '../third-party.js';

/** Returns fake lists of Stripe: `data` after the id in `starting_after`, or for a search after the cursor in `page`. */
export function asStripe(objects: Record<string, JsonObject[]>): (request: Recorded) => Reply {
  return ({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://stripe');
    const all = objects[pathname] ?? [];
    const after = searchParams.get('starting_after');
    const from = after ? all.findIndex(({ id }) => id === after) + 1 : Number(searchParams.get('page') ?? 0);
    const to = from + Number(searchParams.get('limit'));
    const isSearch = pathname.endsWith('/search');
    const more = { has_more: to < all.length, ...(isSearch && { next_page: to < all.length ? String(to) : null }) };
    return json({ object: isSearch ? 'search_result' : 'list', data: all.slice(from, to), ...more });
  };
}

/** Returns `count` objects with ids and names. */
export const many = (count: number, prefix: string): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${prefix}_${index}`, name: `Name ${index}` }));
