import { number, shortText, type StateEntry, type StatePage } from '@drawbridge/piece-kit';

/** The paging inputs of actions that list stored entries. */
export const paging = {
  limit: number('Limit', {
    integer: true,
    minimum: 1,
    maximum: 100,
    description: 'Defaults to 50.',
  }),
  cursor: shortText('Cursor', { description: 'nextCursor of the previous page.', minLength: 1, maxLength: 600 }),
};

export const DEFAULT_LIMIT = 50;

export function toPage<Item>({ entries, next }: StatePage, toItem: (entry: StateEntry) => Item) {
  return { items: entries.map(toItem), nextCursor: next ?? null };
}
