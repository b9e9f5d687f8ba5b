import { NewItems } from './follow.js';

const item = (at: number) => ({ id: `id-${at}`, createdAt: new Date(at * 1_000).toISOString() });

/** A list with the newest item first, and how many of its items were read. */
function listOf(...times: number[]) {
  const state = { times, read: 0 };
  const list = async function* () {
    for (const at of [...state.times].sort((one, other) => other - one)) {
      state.read++;
      yield item(at);
    }
  };
  return { state, list };
}
const ids = (items: { id: string }[]): string[] => items.map(({ id }) => id);

it('returns what is new since the start, the oldest first and each once', async () => {
  const { state, list } = listOf(1, 2, 3);
  const items = new NewItems(list, 60_000);
  await items.start();
  expect(await items.next()).toEqual([]);
  state.times.push(4, 5);
  expect(ids(await items.next())).toEqual(['id-4', 'id-5']);
  expect(await items.next()).toEqual([]);
});

it('returns everything without a start, and everything after the start of an empty list', async () => {
  expect(ids(await new NewItems(listOf(1, 2).list, 60_000).next())).toEqual(['id-1', 'id-2']);
  const { state, list } = listOf();
  const items = new NewItems(list, 60_000);
  await items.start();
  state.times.push(1);
  expect(ids(await items.next())).toEqual(['id-1']);
});

it('finds an item that appears behind newer ones: soon if it is recent, later if it is older', async () => {
  const { state, list } = listOf(1_000);
  const items = new NewItems(list, 300_000);
  await items.start();
  state.times.push(995, 800, 600);
  expect(ids(await items.next())).toEqual(['id-995']);
  const later: string[] = [];
  for (let look = 0; look < 15; look++) later.push(...ids(await items.next()));
  expect(later).toEqual(['id-800']);
});

it('reads only the recent part of a long list', async () => {
  const { state, list } = listOf(...Array.from({ length: 10_000 }, (_, at) => at));
  const items = new NewItems(list, 60_000);
  await items.start();
  state.read = 0;
  await items.next();
  expect(state.read).toBeLessThan(20);
});

it('repeats a look that failed', async () => {
  const { state, list } = listOf(1);
  let isAway = false;
  const items = new NewItems(async function* () {
    yield* list();
    if (isAway) throw new Error('away');
  }, 60_000);
  await items.start();
  state.times.push(2);
  isAway = true;
  await expect(items.next()).rejects.toThrow('away');
  isAway = false;
  expect(ids(await items.next())).toEqual(['id-2']);
});
