import { number, shortText, type StateEntry, type StatePage } from '@drawbridge/piece-kit';

/** How actions that list what is kept are asked for a page. */
export const paging = {
  limit: number('Limit', { integer: true, minimum: 1, maximum: 100, description: 'At most so many; 50 if absent.' }),
  cursor: shortText('Cursor', { description: 'The nextCursor of the page before.', minLength: 1, maxLength: 600 }),
};

export const DEFAULT_LIMIT = 50;

/** A page as such an action answers it. */
export function toPage<Item>({ entries, next }: StatePage, toItem: (entry: StateEntry) => Item) {
  return { items: entries.map(toItem), nextCursor: next ?? null };
}
