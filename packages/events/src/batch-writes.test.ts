import { AsyncLocalStorage } from 'node:async_hooks';
import { together } from './batch-writes.js';

/** Returns a writer with writes that complete when the test releases them, and the items of each write. */
function writing(fails: (items: readonly string[]) => boolean = () => false) {
  const written: (readonly string[])[] = [];
  const lets: (() => void)[] = [];
  const add = together<string, string>(3, async (items) => {
    written.push(items);
    await new Promise<void>((resolve) => lets.push(resolve));
    if (fails(items)) throw new Error(`no ${items.join()}`);
    return items.map((item) => item.toUpperCase());
  });
  const moment = () => new Promise(setImmediate);
  const go = async () => {
    for (let many = 0; many < 10; many++) {
      lets.shift()?.();
      await moment();
    }
  };
  return { written, add, go };
}

it('writes what comes in one moment, and meanwhile, together, and answers each for itself', async () => {
  const { written, add, go } = writing();
  const first = [add('a'), add('b')];
  await new Promise(setImmediate);
  const rest = ['c', 'd', 'e', 'f'].map(add);
  await go();
  expect(await Promise.all([...first, ...rest])).toEqual(['A', 'B', 'C', 'D', 'E', 'F']);
  expect(written).toEqual([['a', 'b'], ['c', 'd', 'e'], ['f']]);
});

it('lets one that cannot be written fail alone', async () => {
  const { written, add, go } = writing((items) => items.includes('b'));
  const all = Promise.allSettled(['a', 'b', 'c'].map(add));
  await go();
  expect(await all).toMatchObject([{ value: 'A' }, { reason: new Error('no b') }, { value: 'C' }]);
  expect(written).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a'], ['b'], ['c']]);
});

it('finds the one that cannot be written of many in few writes', async () => {
  const many = 200;
  let writes = 0;
  const add = together<number, number>(many, async (items) => {
    writes++;
    if (items.includes(77)) throw new Error('no');
    return items;
  });
  const all = await Promise.allSettled(Array.from({ length: many }, (_, item) => add(item)));
  expect(all.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([77]);
  expect(writes).toBeLessThan(20);
});

it('tries once while the database is unavailable', async () => {
  let writes = 0;
  const add = together<number, number>(100, async () => {
    writes++;
    throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
  });
  const all = await Promise.allSettled(Array.from({ length: 50 }, (_, item) => add(item)));
  expect([writes, new Set(all.map(({ status }) => status))]).toEqual([1, new Set(['rejected'])]);
});

it('starts the next write while one hangs, in the context of no call', async () => {
  const call = new AsyncLocalStorage<string>();
  const contexts: unknown[] = [];
  const add = together<string, string>(10, async (items) => {
    contexts.push(call.getStore());
    return items.includes('hangs') ? new Promise(() => undefined) : items;
  });
  void call.run('first', () => add('hangs'));
  await new Promise(setImmediate);
  const rest = call.run('second', () => ['a', 'b'].map(add));
  expect(await Promise.all(rest)).toEqual(['a', 'b']);
  expect(contexts).toEqual([undefined, undefined]);
});

describe('under load', () => {
  const moment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const [MOST, HANGS] = [20, -1];
  const written: (readonly number[])[] = [];
  let add: (item: number) => Promise<number>;

  /** Writes ten items. The clock then stands still until a test advances it. */
  beforeEach(async () => {
    import.meta.jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    add = together<number, number>(MOST, async (items) => {
      written.push(items);
      return items.includes(HANGS) ? new Promise(() => undefined) : items;
    });
    await Promise.all(Array.from({ length: 10 }, (_, item) => add(item)));
    written.length = 0;
  });
  afterEach(() => void import.meta.jest.useRealTimers());

  it('waits for nine tenths of the items of the last write', async () => {
    const all = [1, 2, 3, 4, 5, 6, 7, 8].map(add);
    await moment();
    await moment();
    expect(written).toEqual([]);
    await Promise.all([...all, add(9)]);
    expect(written).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
  });

  it('writes fewer items after 8 ms, and does not wait for the next items', async () => {
    const first = add(1);
    await moment();
    await import.meta.jest.advanceTimersByTimeAsync(7);
    expect(written).toEqual([]);
    await import.meta.jest.advanceTimersByTimeAsync(1);
    expect([await first, await add(2), written]).toEqual([1, 2, [[1], [2]]]);
  });

  it('does not wait after a full write', async () => {
    const first = await Promise.all(Array.from({ length: MOST + 1 }, (_, item) => add(item)));
    expect([first.length, ...written.map(({ length }) => length)]).toEqual([MOST + 1, MOST, 1]);
  });

  it('does not wait after a write that hangs', async () => {
    void add(HANGS);
    for (let item = 1; item < 10; item++) void add(item);
    await moment();
    await import.meta.jest.advanceTimersByTimeAsync(500);
    written.length = 0;
    expect([await add(1), written]).toEqual([1, [[1]]]);
  });

  it('does not wait after a pause', async () => {
    await import.meta.jest.advanceTimersByTimeAsync(31);
    expect([await add(1), written]).toEqual([1, [[1]]]);
  });
});
