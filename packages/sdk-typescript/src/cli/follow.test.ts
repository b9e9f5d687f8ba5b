import { ConnectionError } from '../api-error.js';
import { follow, NewItems } from './follow.js';
import { type Output } from './output.js';

const item = (at: number) => ({ id: `id-${at}`, createdAt: new Date(at * 1_000).toISOString() });

/** Returns a list with the newest item first, which counts how many of its items were read, and fails after `failsAfter` items. */
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

describe('follow', () => {
  /** Returns the pauses after each poll. A poll that is true found an item, false found none, and an Error failed. */
  async function pausesAfter(looks: readonly (boolean | Error)[]): Promise<number[]> {
    const end = new AbortController();
    const pauses: number[] = [];
    const wait = async (ms: number): Promise<void> => {
      if (pauses.push(ms) === looks.length) end.abort(new Error('ended'));
    };
    const look = async (): Promise<boolean> => {
      const found = looks[pauses.length]!;
      if (found instanceof Error) throw found;
      return found;
    };
    const output = { note: silent } as unknown as Output;
    await expect(follow(look, { signal: end.signal, output, pauseMs: 2_000, wait })).rejects.toThrow('ended');
    return pauses;
  }

  it('looks less often while it finds nothing, and as often as before when it finds something', async () => {
    const pauses = await pausesAfter([true, ...Array(20).fill(false), true, false]);
    const [first, ...later] = pauses;
    expect([first, later.at(-2), later.at(-1)! > 2_000]).toEqual([2_000, 2_000, true]);
    const idle = later.slice(0, 20);
    expect(idle).toEqual([...idle].sort((one, other) => one - other));
    expect([idle[0]! < 3_000, idle.at(-1)]).toEqual([true, 5_000]);
  });

  it('looks less often after failures that pass', async () => {
    const pauses = await pausesAfter(Array(20).fill(new ConnectionError('away')));
    expect(pauses.at(-1)).toBe(5_000);
  });
});
