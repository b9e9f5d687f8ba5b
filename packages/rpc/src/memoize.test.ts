import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Caller, runInContext } from './context.js';
import { memoize } from './memoize.js';
import { WHO } from './testing/members.js';
import { asking } from './testing/networks.js';

describe('a cached value', () => {
  it('is loaded once for concurrent callers, and again after its lifetime', async () => {
    let asked = 0;
    const find = memoize({ ttlMs: 20 }, async (key) => `${key} ${++asked}`);
    expect(await Promise.all([find('a'), find('a'), find('b')])).toEqual(['a 1', 'a 1', 'b 2']);
    while ((await find('a')) === 'a 1') await new Promise(setImmediate);
    expect(asked).toBe(3);
  });

  it('expires by the start of its load', async () => {
    const answers: ((text: string) => void)[] = [];
    const find = memoize({ ttlMs: 20 }, () => new Promise<string>((resolve) => answers.push(resolve)));
    const first = find('a');
    while (answers.length < 2) {
      void find('a');
      await new Promise(setImmediate);
    }
    answers[0]!('before the change');
    answers[1]!('after it');
    expect(await first).toBe('before the change');
    expect(await find('a')).not.toBe('before the change');
  });

  it('is never a failure', async () => {
    let asked = 0;
    const find = memoize({ ttlMs: 60_000 }, async () => {
      if (++asked === 1) throw new Error('not now');
      return 'fine';
    });
    await expect(find('a')).rejects.toThrow('not now');
    expect(await find('a')).toBe('fine');
  });

  it('is never an empty result', async () => {
    const answers = [undefined, 'one'];
    const find = memoize({ ttlMs: 60_000 }, async () => answers.shift());
    expect([await find('a'), await find('a'), await find('a')]).toEqual([undefined, 'one', 'one']);
  });

  it.each([
    ['of a key', 'a', ['a 1', 'a 3', 'b 2']],
    ['of all', undefined, ['a 1', 'a 3', 'b 4']],
  ])('is removed on request, %s', async (_what, key, expected) => {
    let asked = 0;
    const find = memoize({ ttlMs: 60_000 }, async (name) => `${name} ${++asked}`);
    const [first] = [await find('a'), await find('b')];
    find.forget(key);
    expect([first, await find('a'), await find('b')]).toEqual(expected);
  });

  it('is not stored by a load that began before the removal', async () => {
    const answers: ((text: string) => void)[] = [];
    const find = memoize({ ttlMs: 60_000 }, () => new Promise<string>((resolve) => answers.push(resolve)));
    const early = find('a');
    find.forget();
    const late = find('a');
    answers[0]!('of before');
    answers[1]!('of now');
    expect([await early, await late, await find('a')]).toEqual(['of before', 'of now', 'of now']);
  });
});

describe('the memory of a cached value', () => {
  const collectGarbage = ((): (() => void) => {
    setFlagsFromString('--expose-gc');
    return runInNewContext('gc');
  })();

  it('does not include the context of the first caller', async () => {
    const find = memoize({ ttlMs: 60_000 }, async (key) => {
      await new Promise(setImmediate);
      return { key };
    });
    const askFrom = async (): Promise<WeakRef<Caller>> => {
      const caller = { ...WHO };
      await runInContext(asking({ caller }), () => find('a'));
      return new WeakRef(caller);
    };
    const first = await askFrom();
    for (let turn = 0; turn < 10 && first.deref(); turn++) {
      await new Promise(setImmediate);
      collectGarbage();
    }
    expect(await find('a')).toEqual({ key: 'a' });
    expect(first.deref()).toBeUndefined();
  });

  it('is at most 32 MiB for values of any size', async () => {
    let asked = 0;
    const find = memoize({ ttlMs: 60_000 }, async () => {
      asked++;
      return 'x'.repeat(4 * 1024 * 1024);
    });
    for (const key of ['a', 'b', 'c', 'd', 'e']) await find(key);
    await find('e');
    expect(asked).toBe(5);
    await find('a');
    expect(asked).toBe(6);
  });
});
