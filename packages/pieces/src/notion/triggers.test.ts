import type { JsonObject, JsonValue } from '@drawbridge/piece-kit';
import type { QueryDataSourceParameters } from '@notionhq/client';
import { json, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { notion } from './index.js';
import { commentCreated } from './triggers/comment-created.js';
import { itemUpdated } from './triggers/item-updated.js';
import { newItem } from './triggers/new-item.js';

const credential = { type: 'OAUTH2', accessToken: 'ntn_canary', tokenType: 'bearer' } as const;
const at = (minute: number): string => `2026-01-31T09:${String(minute).padStart(2, '0')}:00.000Z`;
const item = (id: string, minute: number): JsonObject => ({
  ...{ id, url: `https://notion.so/${id}`, created_time: at(minute), last_edited_time: at(minute) },
  properties: { Name: { type: 'title', title: [{ plain_text: id }] } },
});

/** Returns a fake data source with these items. Their times are whole minutes, like Notion's. */
const asNotion =
  (items: JsonObject[]) =>
  ({ body }: Recorded): Reply => {
    const { filter, sorts, start_cursor = '0', page_size = 0 } = JSON.parse(body);
    const since = filter?.created_time.on_or_after ?? '';
    const found = items.filter(({ created_time }) => String(created_time) >= since);
    const order = sorts[0].direction === 'ascending' ? 1 : -1;
    found.sort((one, other) => order * String(one['created_time']).localeCompare(String(other['created_time'])));
    const to = Number(start_cursor) + page_size;
    const more = to < found.length;
    return json({
      results: found.slice(Number(start_cursor), to),
      has_more: more,
      next_cursor: more ? String(to) : null,
    });
  };

async function poll(items: JsonObject[], cursor?: JsonValue) {
  const setting = { piece: notion, credential, reply: asNotion(items) };
  const input = { data_source_id: 'd1' };
  const { output, asked } = await runTrigger(setting, input, (context) => newItem.poll({ ...context, cursor }));
  return { ...output, ids: output.events.map(({ id }) => id), asked };
}

// Type test: the request must be valid for the official client.
const newest = {
  data_source_id: 'd1',
  sorts: [{ timestamp: 'created_time', direction: 'descending' }],
  page_size: 100,
} satisfies QueryDataSourceParameters;
const since = {
  data_source_id: 'd1',
  filter: { timestamp: 'created_time', created_time: { on_or_after: at(2) } },
  sorts: [{ timestamp: 'created_time', direction: 'ascending' }],
  page_size: 100,
} satisfies QueryDataSourceParameters;

const asks = ({ data_source_id, ...body }: { data_source_id: string }): string =>
  `POST /v1/data_sources/${data_source_id}/query ${JSON.stringify(body)}`;

const before = [item('a', 1), item('b', 2)];

it('stores the last item at the first poll and delivers nothing', async () => {
  const { events, cursor, asked } = await poll(before);
  expect({ events, cursor }).toEqual({ events: [], cursor: { time: at(2), ids: ['b'] } });
  expect(asked).toEqual([asks(newest)]);
});

it('delivers new items oldest first, also within one minute', async () => {
  const { cursor } = await poll(before);
  const after = await poll([...before, item('d', 3), item('c', 2)], cursor);
  expect(after.ids).toEqual(['c', 'd']);
  expect(after.events[0]?.data).toMatchObject({ id: 'c', values: { Name: 'c' } });
  expect(after.asked).toEqual([asks(since)]);
  expect((await poll([...before, item('d', 3), item('c', 2)], after.cursor)).ids).toEqual([]);
});

it('does not repeat delivered items of a minute that gets more items', async () => {
  const first = await poll([...before, item('c', 2)], (await poll(before)).cursor);
  const second = await poll([...before, item('c', 2), item('e', 2)], first.cursor);
  expect([first.ids, second.ids]).toEqual([['c'], ['e']]);
  expect(second.cursor).toEqual({ time: at(2), ids: ['b', 'c', 'e'] });
});

it('delivers the same items again after a crash', async () => {
  const { cursor } = await poll(before);
  const after = [...before, item('c', 3), item('d', 3)];
  expect(await poll(after, cursor)).toEqual(await poll(after, cursor));
});

it('delivers all of many items to an empty start', async () => {
  const many = Array.from({ length: 250 }, (_, index) => item(`n${index}`, 5));
  expect((await poll(many, (await poll([])).cursor)).ids).toHaveLength(250);
});

it('continues past a minute with more items than one poll delivers', async () => {
  const crowd = Array.from({ length: 1_200 }, (_, index) => item(`n${index}`, 5));
  const all = [...crowd, item('last', 6)];
  const first = await poll(all, (await poll([])).cursor);
  const second = await poll(all, first.cursor);
  const third = await poll(all, second.cursor);
  expect([first, second, third].map(({ ids }) => ids.length)).toEqual([1_000, 201, 0]);
  expect(second.ids).toContain('last');
});

it('delivers items beyond the limit of one poll in the next poll, also within one minute', async () => {
  const large = { Name: { type: 'title', title: [{ plain_text: 'x'.repeat(1_500_000) }] } };
  const all = ['c', 'd', 'e', 'f'].map((id) => ({ ...item(id, 3), properties: large }));
  const first = await poll(all, (await poll(before)).cursor);
  expect([first.ids, (await poll(all, first.cursor)).ids]).toEqual([
    ['c', 'd'],
    ['e', 'f'],
  ]);
});

it('stores all items of the minute in which it begins', async () => {
  const crowd = Array.from({ length: 250 }, (_, index) => item(`n${index}`, 5));
  expect((await poll(crowd, (await poll(crowd)).cursor)).ids).toEqual([]);
});

describe('changed items', () => {
  const edited = (id: string, minute: number): JsonObject => ({ ...item(id, 0), last_edited_time: at(minute) });
  const asChanged =
    (items: JsonObject[]) =>
    ({ body }: Recorded): Reply => {
      const { filter, sorts } = JSON.parse(body);
      const [from, to] = filter.and ?? [undefined, filter];
      const order = sorts[0].direction === 'ascending' ? 1 : -1;
      const timeOf = ({ last_edited_time }: JsonObject): string => String(last_edited_time);
      const results = items
        .filter((one) => timeOf(one) < to.last_edited_time.before)
        .filter((one) => timeOf(one) >= (from?.last_edited_time.on_or_after ?? ''))
        .sort((one, other) => order * timeOf(one).localeCompare(timeOf(other)));
      return json({ results, has_more: false, next_cursor: null });
    };

  async function changed(items: JsonObject[], now: string, cursor?: JsonValue) {
    const clock = import.meta.jest.spyOn(Date, 'now').mockReturnValue(Date.parse(now));
    try {
      const setting = { piece: notion, credential, reply: asChanged(items) };
      const run = await runTrigger(setting, { data_source_id: 'd1' }, (context) =>
        itemUpdated.poll({ ...context, cursor }),
      );
      return { ...run.output, asked: run.asked };
    } finally {
      clock.mockRestore();
    }
  }

  it('are asked for as the official client asks', async () => {
    const { cursor, asked } = await changed([edited('a', 1)], at(5));
    const before = { timestamp: 'last_edited_time', last_edited_time: { before: at(5) } } as const;
    const first = {
      ...{ data_source_id: 'd1', filter: before },
      sorts: [{ timestamp: 'last_edited_time', direction: 'descending' }],
      page_size: 100,
    } satisfies QueryDataSourceParameters;
    expect(asked).toEqual([asks(first)]);
    const from = { timestamp: 'last_edited_time', last_edited_time: { on_or_after: at(1) } } as const;
    const next = {
      ...{ data_source_id: 'd1', filter: { and: [from, before] } },
      sorts: [{ timestamp: 'last_edited_time', direction: 'ascending' }],
      page_size: 100,
    } satisfies QueryDataSourceParameters;
    expect((await changed([edited('a', 1)], at(5), cursor)).asked).toEqual([asks(next)]);
  });

  it('are events when their minute is over, so that a second change in it is not lost', async () => {
    const { cursor } = await changed([edited('a', 1)], at(2));
    const during = await changed([edited('a', 5)], '2026-01-31T09:05:30.000Z', cursor);
    expect(during.events).toEqual([]);
    const after = await changed([edited('b', 5), edited('a', 5)], at(6), during.cursor);
    expect(after.events.map(({ id }) => id)).toEqual([`b ${at(5)}`, `a ${at(5)}`]);
    expect(after.events[1]?.data).toMatchObject({ id: 'a', last_edited_time: at(5), values: { Name: 'a' } });
    const again = await changed([edited('b', 5), edited('a', 9)], at(10), after.cursor);
    expect(again.events.map(({ id }) => id)).toEqual([`a ${at(9)}`]);
  });
});

describe('new comments', () => {
  const comment = (id: string, minute: number): JsonObject => ({
    ...{ id, discussion_id: 'e1', created_time: at(minute), last_edited_time: at(minute) },
    ...{ created_by: { object: 'user', id: 'u1' }, rich_text: [{ plain_text: 'Looks ' }, { plain_text: 'good.' }] },
  });

  async function commented(comments: JsonObject[], cursor?: JsonValue) {
    const reply = ({ url }: Recorded): Reply => {
      const start = Number(new URL(url, 'https://x.example').searchParams.get('start_cursor') ?? 0);
      const next = start + 2 < comments.length ? String(start + 2) : null;
      return json({ results: comments.slice(start, start + 2), has_more: next !== null, next_cursor: next });
    };
    const { output, asked } = await runTrigger({ piece: notion, credential, reply }, { block_id: 'p1' }, (context) =>
      commentCreated.poll({ ...context, cursor }),
    );
    return { ...output, ids: output.events.map(({ id }) => id), asked };
  }

  it('are found on all pages, also within one minute', async () => {
    const known = ['a', 'b', 'c'].map((id, index) => comment(id, index));
    const first = await commented(known);
    expect({ ids: first.ids, cursor: first.cursor }).toEqual({ ids: [], cursor: { time: at(2), ids: ['c'] } });
    expect(first.asked).toEqual([
      'GET /v1/comments?block_id=p1&page_size=100',
      'GET /v1/comments?block_id=p1&page_size=100&start_cursor=2',
    ]);
    const second = await commented([...known, comment('d', 2), comment('e', 4)], first.cursor);
    expect(second.ids).toEqual(['d', 'e']);
    const { created_by: _user, rich_text: _text, ...same } = comment('d', 2);
    expect(second.events[0]?.data).toEqual({ ...same, created_by: 'u1', text: 'Looks good.' });
  });

  it('are found after a known one is deleted or resolved', async () => {
    const { cursor } = await commented([comment('a', 1), comment('b', 2)]);
    expect((await commented([comment('a', 1), comment('c', 3)], cursor)).ids).toEqual(['c']);
    expect((await commented([], cursor)).ids).toEqual([]);
  });

  it.each([
    [9_999, 'finds', undefined],
    [10_000, 'refuses', 'New comments of p1 cannot be found, because it has 10000 or more open ones'],
    [10_150, 'refuses', 'New comments of p1 cannot be found, because it has 10000 or more open ones'],
  ])('of a page with %i comments: %s', async (count, _, message) => {
    const reply = ({ url }: Recorded): Reply => {
      const start = Number(new URL(url, 'https://x.example').searchParams.get('start_cursor') ?? 0);
      const size = Math.min(100, count - start);
      const results = Array.from({ length: size }, (_, index) => comment(`c${start + index}`, 1));
      const next = start + size < count ? String(start + size) : null;
      return json({ results, has_more: next !== null, next_cursor: next });
    };
    const polled = (cursor?: JsonValue) =>
      runTrigger({ piece: notion, credential, reply }, { block_id: 'p1' }, (context) =>
        commentCreated.poll({ ...context, cursor }),
      );
    for (const cursor of [undefined, { time: at(0), ids: [] }]) {
      if (message) await expect(polled(cursor)).rejects.toThrow(message);
      else expect((await polled(cursor)).output.events).toHaveLength(cursor ? 1_000 : 0);
    }
  });
});
