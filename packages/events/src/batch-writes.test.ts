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
