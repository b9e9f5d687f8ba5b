import { type JsonObject, type JsonValue } from './json.js';
import { newSince } from './new-since.js';
import { type Polled } from './trigger.js';

interface Item extends JsonObject {
  id: string;
  at: string;
}

const item = (id: string, second: number): Item => ({ id, at: new Date(second * 1_000).toISOString() });

/** Returns a fake provider with a list, and a poll of that list that stores its cursor. */
function polled(order: 'newest first' | 'oldest first' = 'newest first') {
  const items: Item[] = [];
  let read = 0;
  const poll = newSince<JsonObject>({
    order,
    async *list(_context, since) {
      const sorted = items.toSorted((one, other) => other.at.localeCompare(one.at));
      const isAscending = order === 'oldest first' && since !== undefined;
      const listed = isAscending ? sorted.toReversed().filter(({ at }) => Date.parse(at) >= since.getTime()) : sorted;
      for (const one of listed) {
        read++;
        yield one as JsonValue;
      }
    },
    time: (one) => (one as Item).at,
    id: (one) => (one as Item).id,
    data: (one) => ((one as Item).id === 'skipped' ? undefined : { of: (one as Item).id }),
  });
  let cursor: JsonValue | undefined;
  let isLeft = false;
  return {
    items,
    /** Returns whether the last poll reported that more events follow. */
    isMore: () => isLeft,
    async next(): Promise<string[]> {
      const { events, cursor: after, isMore }: Polled = await poll({ cursor, input: {} } as never);
      cursor = JSON.parse(JSON.stringify(after));
      isLeft = isMore === true;
      expect(events.map(({ data }) => data)).toEqual(events.map(({ id }) => ({ of: id })));
      return events.map(({ id }) => id);
    },
    reads: () => {
      const before = read;
      read = 0;
      return before;
    },
  };
}

describe.each(['newest first', 'oldest first'] as const)('a list that is %s', (order) => {
  it('has no events at first, then each new item once, the oldest first', async () => {
    const { items, next } = polled(order);
    items.push(item('a', 1), item('b', 2));
    expect(await next()).toEqual([]);
    expect(await next()).toEqual([]);
    items.push(item('d', 5), item('c', 4));
    expect(await next()).toEqual(['c', 'd']);
    expect(await next()).toEqual([]);
  });

  it('finds items that appear later at a known time, also before the first item', async () => {
    const { items, next } = polled(order);
    expect(await next()).toEqual([]);
    items.push(item('a', 1));
    expect(await next()).toEqual(['a']);
    items.push(item('b', 1));
    expect(await next()).toEqual(['b']);
    items.push(item('c', 1), item('skipped', 2));
    expect(await next()).toEqual(['c']);
    expect(await next()).toEqual([]);
  });

  it('returns more events than fit into one answer in several polls', async () => {
    const { items, next, isMore } = polled(order);
    expect(await next()).toEqual([]);
    const names = Array.from({ length: 6 }, (_, at) => `${at}${'x'.repeat(500_000)}`);
    names.forEach((name, at) => items.push(item(name, at + 1)));
    const found: string[] = [];
    do found.push(...(await next()));
    while (isMore());
    expect(found.map((name) => name[0])).toEqual(['0', '1', '2', '3', '4', '5']);
  });
});

it('reads no further than the first known item of a list that is newest first', async () => {
  const { items, next, reads } = polled();
  for (let at = 1; at <= 1_000; at++) items.push(item(String(at), at));
  await next();
  expect(reads()).toBe(2);
  items.push(item('new', 1_001));
  expect(await next()).toEqual(['new']);
  expect(reads()).toBe(3);
});

it('keeps the ids of the newest time only', async () => {
  const poll = newSince<JsonObject>({ list: () => listed(), time: () => 2_000, id: (one) => (one as Item).id });
  async function* listed() {
    yield item('b', 2) as JsonValue;
  }
  const cursor = { time: new Date(1_000).toISOString(), ids: ['a'] };
  const polled = await poll({ cursor, input: {} } as never);
  expect(polled.cursor).toEqual({ time: new Date(2_000).toISOString(), ids: ['b'] });
});

it('ignores earlier items of a list that is oldest first', async () => {
  const poll = newSince<JsonObject>({
    order: 'oldest first',
    async *list() {
      for (let at = 0; at < 1_005; at++) yield item(`old${at}`, 0) as JsonValue;
      for (let at = 0; at < 1_005; at++) yield item(`known${at}`, 1) as JsonValue;
      yield item('new', 2) as JsonValue;
    },
    time: (one) => (one as Item).at,
    id: (one) => (one as Item).id,
  });
  const ids = Array.from({ length: 1_005 }, (_, at) => `known${at}`);
  const { events } = await poll({ cursor: { time: new Date(1_000).toISOString(), ids }, input: {} } as never);
  expect(events.map(({ id }) => id)).toEqual(['new']);
});

it('ignores items without a time or an id', async () => {
  const { items, next } = polled();
  expect(await next()).toEqual([]);
  items.push({ id: '', at: new Date().toISOString() }, { id: 'x', at: 'never' }, item('a', 1));
  expect(await next()).toEqual(['a']);
});

/** Returns a poll of a list that the test changes. `at` is the time of an item. */
function pollOf(list: { id: string; at: string | number }[]) {
  const poll = newSince<JsonObject>({
    async *list() {
      yield* list.toReversed();
    },
    time: (one) => (one as { at: string | number }).at,
    id: (one) => (one as Item).id,
  });
  let cursor: JsonValue | undefined;
  return async (): Promise<string[]> => {
    const polled = await poll({ cursor, input: {} } as never);
    cursor = JSON.parse(JSON.stringify(polled.cursor));
    return polled.events.map(({ id }) => id);
  };
}

it('returns items of the same time in the order of their list', async () => {
  const list = [{ id: 'known', at: 1_000 }];
  const next = pollOf(list);
  await next();
  list.push({ id: 'a', at: 2_000 }, { id: 'b', at: 3_000 }, { id: 'c', at: 3_000 }, { id: 'd', at: 3_000 });
  expect(await next()).toEqual(['a', 'b', 'c', 'd']);
});

it('returns each item once if times have fractions of a millisecond', async () => {
  const list = [{ id: 'known', at: 1_000 }];
  const next = pollOf(list);
  await next();
  list.push({ id: 'a', at: 2_000.25 });
  expect(await next()).toEqual(['a']);
  list.push({ id: 'b', at: 2_000.5 });
  expect(await next()).toEqual(['b']);
  expect(await next()).toEqual([]);
});

it('ignores items with a time that no date has', async () => {
  const list: { id: string; at: string | number }[] = [{ id: 'first', at: Infinity }];
  const next = pollOf(list);
  expect(await next()).toEqual([]);
  list.push({ id: 'far', at: 9e15 }, { id: 'infinite', at: 1e400 }, { id: 'a', at: 1_000 });
  expect(await next()).toEqual(['a']);
});

it('keeps the cursor if the newest items are deleted', async () => {
  const list = [
    { id: 'a', at: 1_000 },
    { id: 'b', at: 2_000 },
  ];
  const next = pollOf(list);
  await next();
  list.pop();
  expect(await next()).toEqual([]);
  list.push({ id: 'c', at: 2_000 });
  expect(await next()).toEqual(['c']);
});

it('finds the newest 1,000 items of a list that is newest first', async () => {
  const list = [{ id: 'known', at: 1_000 }];
  const next = pollOf(list);
  await next();
  for (let at = 1; at <= 1_001; at++) list.push({ id: String(at), at: 1_000 + at });
  const found = await next();
  expect([found.length, found[0], found.at(-1)]).toEqual([1_000, '2', '1001']);
  expect(await next()).toEqual([]);
});

it('finds all items of a list that is oldest first, 1,000 in each poll', async () => {
  const { items, next } = polled('oldest first');
  await next();
  for (let at = 1; at <= 1_001; at++) items.push(item(String(at), at));
  expect((await next()).length).toBe(1_000);
  expect(await next()).toEqual(['1001']);
});

it('compares many items of the same time in linear time', async () => {
  const costs: number[] = [];
  for (const size of [2_000, 16_000]) {
    const list = Array.from({ length: size }, (_, at) => ({ id: `${'x'.repeat(50)}${at}`, at: 1_000 }));
    const next = pollOf(list);
    await next();
    const started = process.cpuUsage().user;
    expect(await next()).toEqual([]);
    costs.push(process.cpuUsage().user - started);
  }
  expect(costs[1]! / Math.max(5_000, costs[0]!)).toBeLessThan(24);
});
