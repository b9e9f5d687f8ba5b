import {
  expandPath,
  firstThatFit,
  textAt,
  trigger,
  type Http,
  type JsonObject,
  type JsonValue,
} from '@drawbridge/piece-kit';
import { toItem } from '../items.js';
import { dataSource } from '../properties.js';

/** The minute of the newest item and all ids in it: Notion's times have no seconds. */
type Cursor = { time: string; ids: string[] };

const LIMIT = 1000;
/** The most items of one query. Items of the last minute that are already known are read again. */
const MINUTE = 10_000;
const BEGINNING: Cursor = { time: '1970-01-01T00:00:00.000Z', ids: [] };

/** Polls, because users must create Notion webhooks by hand in its settings. */
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
  poll: async ({ http, input: { data_source_id: id }, cursor }) => {
    if (cursor === undefined) return { events: [], cursor: toCursor(await newest(http, id), BEGINNING) };

    const seen = cursor as Cursor;
    const found = await since(http, id, seen.time);
    const fresh = found.filter((page) => !seen.ids.includes(idOf(page)));
    const { events, read } = firstThatFit(fresh, (page) => ({ id: idOf(page), data: toItem(page) }));
    return { events, cursor: toCursor(read, seen) };
  },
});

/** Returns all items of the newest minute. */
async function newest(http: Http, id: string): Promise<JsonValue[]> {
  const found: JsonValue[] = [];
  const sorts = [{ timestamp: 'created_time', direction: 'descending' }];
  for await (const page of query(http, id, { sorts, page_size: 100 })) {
    if (found[0] !== undefined && timeOf(page) !== timeOf(found[0])) break;
    found.push(page);
  }
  return found;
}

/** Returns all items of that minute, and up to LIMIT later ones. */
async function since(http: Http, id: string, time: string): Promise<JsonValue[]> {
  const filter = { timestamp: 'created_time', created_time: { on_or_after: time } };
  const sorts = [{ timestamp: 'created_time', direction: 'ascending' }];
  const found: JsonValue[] = [];
  let later = 0;
  for await (const page of query(http, id, { filter, sorts, page_size: 100 })) {
    found.push(page);
    if (timeOf(page) !== time && ++later === LIMIT) break;
  }
  return found;
}

function query(http: Http, id: string, json: JsonObject): AsyncIterable<JsonValue> {
  return http.pages({ method: 'POST', path: expandPath('/v1/data_sources/{id}/query', { id }), json }, MINUTE);
}

/** Keeps the ids of the last minute, because more items may appear in it. */
function toCursor(pages: readonly JsonValue[], seen: Cursor): Cursor {
  const time = pages.map(timeOf).reduce((last, one) => (one > last ? one : last), seen.time);
  const before = time === seen.time ? seen.ids : [];
  const ids = pages.filter((page) => timeOf(page) === time).map(idOf);
  return { time, ids: [...new Set([...before, ...ids])] };
}

const idOf = (page: JsonValue): string => textAt(page, 'id') ?? '';
const timeOf = (page: JsonValue): string => textAt(page, 'created_time') ?? '';
