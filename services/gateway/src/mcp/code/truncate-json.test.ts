import { truncateJson } from './truncate-json.js';

const MAX = 2_000;
const cut = (value: unknown, max = MAX): any => {
  const text = truncateJson(JSON.stringify(value), max);
  expect(text.length).toBeLessThanOrEqual(max);
  return JSON.parse(text);
};

it('keeps a value that fits', () => {
  expect(truncateJson('{"a":[1,2]}', 11)).toBe('{"a":[1,2]}');
});

it('ends a long list and a long object in a marker', () => {
  const list = cut(Array.from({ length: 5_000 }, (_, n) => n));
  expect(list.slice(0, 3)).toEqual([0, 1, 2]);
  expect(list.at(-1)).toBe('…');
  const object = cut(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, { n }])));
  expect(object).toMatchObject({ key0: { n: 0 }, key1: { n: 1 }, '…': 'truncated' });
});

it('cuts long strings and keeps what follows them', () => {
  const [text, after] = cut(['a'.repeat(50_000), 7, ...Array(50_000).fill(1)], 20_000);
  expect(text).toMatch(/^a{9999}… \(40001 more characters\)$/);
  expect(after).toBe(7);
});

it.each(['\\', '"', '€', '😀', '\u0001', '\\"\n'])('never cuts within a character: %j', (letter) => {
  for (let shift = 0; shift < 7; shift++) {
    const [text] = cut(['x'.repeat(shift) + letter.repeat(30_000), ...Array(30_000).fill(1)], 15_000);
    expect(text).toMatch(/^x*/);
  }
});

it('closes any nesting, also where the limit is within a key', () => {
  expect(cut(JSON.parse('['.repeat(3_000) + ']'.repeat(3_000)))).toBeDefined();
  expect(cut({ a: { b: { ['k'.repeat(5_000)]: 1 } }, c: 2 })).toEqual({ a: { b: { '…': 'truncated' } } });
  expect(cut({ a: ['x,:"]}'.repeat(20), ...Array(1_000).fill('},"')] })).toMatchObject({ a: expect.any(Array) });
  expect(cut('a'.repeat(50_000), 20_000)).toMatch(/^a+… \(\d+ more characters\)$/);
});

it('takes time in proportion to the text', () => {
  const timeOf = (json: string): number => {
    const before = process.cpuUsage();
    for (let round = 0; round < 20; round++) truncateJson(json, 100_000);
    const { user } = process.cpuUsage(before);
    return user;
  };
  for (const part of ['{"a":[1,"b"]},', '"\\\\\\\\",', `"${'\\"'.repeat(500)}",`]) {
    const listOf = (count: number): string => `[${part.repeat(count)}0]`;
    const [short, long] = [Math.ceil(200_000 / part.length), Math.ceil(3_200_000 / part.length)].map(listOf);
    timeOf(short!);
    expect(timeOf(long!)).toBeLessThan(40 * (timeOf(short!) + 1_000));
  }
});
