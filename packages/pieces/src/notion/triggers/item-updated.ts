import { expandPath, newSince, textAt, trigger } from '@drawbridge/piece-kit';
import { toItem } from '../items.js';
import { dataSource } from '../properties.js';

const LIMIT = 10_000;
const EDITED = 'last_edited_time';
const MINUTE_MS = 60_000;

/** Polls, because users must create Notion webhooks manually in its settings. */
export const itemUpdated = trigger({
  kind: 'polling',
  displayName: 'Item changed',
  description: 'Runs when an item of a database is added or changed. All changes within one minute are one event.',
  props: { data_source_id: dataSource },
  sample: {
    id: '59833787-2cf9-4fdf-8782-e53db20768a5',
    url: 'https://www.notion.so/Tea-598337872cf94fdf8782e53db20768a5',
    created_time: '2026-01-31T09:00:00.000Z',
    last_edited_time: '2026-01-31T10:00:00.000Z',
    values: { Name: 'Tea', Tags: ['cold'] },
  },
  poll: newSince({
    order: 'oldest first',
    list: ({ http, input: { data_source_id: id } }, since) => {
      // Times are whole minutes. An item of the current minute waits for the next poll, because its next change would have the same time.
      const settled = edited('before', Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
      const filter = since ? { and: [edited('on_or_after', since.getTime()), settled] } : settled;
      const sorts = [{ timestamp: EDITED, direction: since ? 'ascending' : 'descending' }];
      const path = expandPath('/v1/data_sources/{id}/query', { id });
      return http.pages({ method: 'POST', path, json: { filter, sorts, page_size: 100 } }, LIMIT);
    },
    time: (item) => textAt(item, EDITED),
    id: (item) => `${textAt(item, 'id')} ${textAt(item, EDITED)}`,
    data: toItem,
  }),
});

const edited = (condition: 'before' | 'on_or_after', time: number) => ({
  timestamp: EDITED,
  [EDITED]: { [condition]: new Date(time).toISOString() },
});
