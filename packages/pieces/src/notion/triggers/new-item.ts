import { expandPath, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { toItem } from '../items.js';
import { dataSource } from '../properties.js';

/** Maximum number of items of one poll. Items of the last minute are read again, because Notion's times have no seconds. */
const LIMIT = 10_000;
const CREATED = 'created_time';

/** Polls, because users must create Notion webhooks manually in its settings. */
export const newItem = trigger({
  kind: 'polling',
  displayName: 'New item',
  description: 'Runs when an item is added to a database.',
  props: { data_source_id: dataSource },
  sample: {
    id: '59833787-2cf9-4fdf-8782-e53db20768a5',
    url: 'https://www.notion.so/Tea-598337872cf94fdf8782e53db20768a5',
    created_time: '2026-01-31T09:00:00.000Z',
    last_edited_time: '2026-01-31T09:00:00.000Z',
    values: { Name: 'Tea', Tags: ['hot'] },
  },
  poll: newSince({
    order: 'oldest first',
    list: ({ http, input: { data_source_id: id } }, since) => {
      const direction = since ? 'ascending' : 'descending';
      const filter = since && { timestamp: CREATED, [CREATED]: { on_or_after: since.toISOString() } };
      const json = { ...(filter && { filter }), sorts: [{ timestamp: CREATED, direction }], page_size: 100 };
      return http.pages({ method: 'POST', path: expandPath('/v1/data_sources/{id}/query', { id }), json }, LIMIT);
    },
    time: (page) => textAt(page, CREATED),
    id: (page) => textAt(page, 'id'),
    data: toItem,
  }),
});
