import { expiringCache } from './expiring-cache.js';

let asked: number;
const ask = async (): Promise<string> => `answer ${++asked}`;

beforeEach(() => {
  asked = 0;
});

it('asks once, and again when it was told to forget', async () => {
  const { find, forget } = expiringCache<string>({ max: 10, ttl: 60_000 });
  expect([await find('a', ask), await find('a', ask), await find('b', ask)]).toEqual([
    'answer 1',
    'answer 1',
    'answer 2',
  ]);
  forget();
  expect(await find('a', ask)).toBe('answer 3');
});

it('keeps no answer to a question that was asked before', async () => {
  const { find, forget } = expiringCache<string>({ max: 10, ttl: 60_000 });
  let answer = (_: string): void => undefined;
  const early = find('a', () => new Promise((resolve) => (answer = resolve)));
  forget();
  answer('of before');
  expect(await early).toBe('of before');
  expect(await find('a', ask)).toBe('answer 1');
});

it('does not keep that there was none', async () => {
  const { find } = expiringCache<string>({ max: 10, ttl: 60_000 });
  expect(await find('a', async () => undefined)).toBeUndefined();
  expect(await find('a', ask)).toBe('answer 1');
});
