import { NewItems } from './follow.js';

const item = (at: number) => ({ id: `id-${at}`, createdAt: new Date(at * 1_000).toISOString() });

/** A list with the newest item first, and how many of its items were read. It fails after `failsAfter` items. */
function listOf(...times: number[]) {
  const state = { times, read: 0, failsAfter: Infinity };
  const list = async function* () {
    for (const at of [...state.times].sort((one, other) => other - one)) {
      if (state.read++ >= state.failsAfter) throw new Error('away');
      yield item(at);
    }
  };
  return { state, list };
}
const silent = (): void => undefined;
const ids = (items: { id: string }[]): string[] => items.map(({ id }) => id);

it('returns what is new since the start, the oldest first and each once', async () => {
  const { state, list } = listOf(1, 2, 3);
  const items = new NewItems(list, 60_000, silent);
  await items.start();
  expect(await items.next()).toEqual([]);
  state.times.push(4, 5);
  expect(ids(await items.next())).toEqual(['id-4', 'id-5']);
  expect(await items.next()).toEqual([]);
});

it('returns everything without a start, and everything after the start of an empty list', async () => {
  expect(ids(await new NewItems(listOf(1, 2).list, 60_000, silent).next())).toEqual(['id-1', 'id-2']);
  const { state, list } = listOf();
  const items = new NewItems(list, 60_000, silent);
  await items.start();
  state.times.push(1);
  expect(ids(await items.next())).toEqual(['id-1']);
});

it('finds an item that appears behind newer ones: soon if it is recent, later if it is older', async () => {
  const { state, list } = listOf(1_000);
  const items = new NewItems(list, 300_000, silent);
  await items.start();
  state.times.push(995, 800, 600);
  expect(ids(await items.next())).toEqual(['id-995']);
  const later: string[] = [];
  for (let look = 0; look < 15; look++) later.push(...ids(await items.next()));
  expect(later).toEqual(['id-800']);
});

it('reads only the recent part of a long list', async () => {
  const { state, list } = listOf(...Array.from({ length: 10_000 }, (_, at) => at));
  const items = new NewItems(list, 60_000, silent);
  await items.start();
  state.read = 0;
  await items.next();
  expect(state.read).toBeLessThan(20);
});

it.each([
  ['the first page', 1, [2]],
  ['a later page', 100, Array.from({ length: 299 }, (_, at) => at + 2)],
])('misses nothing if a look fails on %s', async (_, failsAfter, added) => {
  const { state, list } = listOf(1);
  const items = new NewItems(list, 60_000, silent);
  await items.start();
  state.times.push(...added);
  Object.assign(state, { read: 0, failsAfter });
  await expect(items.next()).rejects.toThrow('away');
  state.failsAfter = Infinity;
  expect(ids(await items.next())).toEqual(added.map((at) => `id-${at}`));
});

describe('a look at more than 5,000 items', () => {
  const lotOf = (length: number) => Array.from({ length }, (_, at) => at / 1_000);

  it('says that new items are skipped', async () => {
    const { state, list } = listOf(0);
    const notes: string[] = [];
    const items = new NewItems(list, 60_000, (text) => notes.push(text));
    await items.start();
    state.times.push(...lotOf(5_002).map((at) => at + 1));
    expect(await items.next()).toHaveLength(5_000);
    expect(notes).toEqual([expect.stringContaining('only the newest 5000 were read')]);
  });

  it('says nothing if all new items were read', async () => {
    const { state, list } = listOf(...lotOf(6_000));
    const notes: string[] = [];
    const items = new NewItems(list, 60_000, (text) => notes.push(text));
    await items.start();
    state.times.push(7);
    expect(ids(await items.next())).toEqual(['id-7']);
    expect(notes).toEqual([]);
  });
});
