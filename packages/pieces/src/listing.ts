import { shortText, type StateEntry, type StatePage } from '@drawbridge/piece-kit';
import { itemLimit } from './item-limit.js';

/** The paging inputs of actions that list stored entries. */
export const paging = {
  limit: itemLimit({ defaultsTo: 50, maximum: 100 }),
  cursor: shortText('Cursor', { description: 'nextCursor of the previous page.', minLength: 1, maxLength: 600 }),
};

export const DEFAULT_LIMIT = 50;

export function toPage<Item>({ entries, next }: StatePage, toItem: (entry: StateEntry) => Item) {
  return { items: entries.map(toItem), nextCursor: next ?? null };
}
