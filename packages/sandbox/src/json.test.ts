import { parseJson } from './json.js';

const parse = (text: string) => parseJson(text, 'The text', { bytes: 100, depth: 3 });

it.each([
  'null',
  '[[[1]]]',
  '{"a":{"b":[]}}',
  '"[[[[[["',
  '"\\\\"',
  '["\\"[[[[", {}]',
  '{"a":"__proto__"}',
  '"{\\"__proto__\\":1}"',
  '"{ \\"__proto__\\" :1}"',
  '{"__PROTO__":1,"_\\u0050":2}',
])('accepts %s', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

it.each([
  ['[[[[]]]]', 'The text has more than 3 levels'],
  [`"${'x'.repeat(99)}"`, 'The text has more than 100 bytes'],
  [`"${'ä'.repeat(50)}"`, 'The text has more than 100 bytes'],
  ['{"__proto__":1}', 'The text has a key __proto__'],
  ['[{"a":1,"__proto__":{}}]', 'The text has a key __proto__'],
  ['{ "__proto__" : 1}', 'The text has a key __proto__'],
  ['{"a":1,\n"__proto__"\t:1}', 'The text has a key __proto__'],
  ['{"\\u005f_proto__":1}', 'The text has a key __proto__'],
  ['{"\\u005F\\u005f\\u0070\\u0072\\u006F\\u0074o__":1}', 'The text has a key __proto__'],
  ['{', 'The text is not valid JSON'],
])('refuses %s', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});

describe('the search for __proto__', () => {
  it.each([
    ['white space before a key', (size: number) => `{${' '.repeat(size)}"a":1}`],
    ['white space after the key', (size: number) => `["__proto__"${' '.repeat(size)}]`],
    ['commas', (size: number) => `[${'1,'.repeat(size / 2)}1]`],
    ['white space after each comma', (size: number) => `[${'1,    '.repeat(size / 6)}1]`],
    ['beginnings of the key', (size: number) => `[${'"__proto_",'.repeat(size / 11)}1]`],
  ])('costs no more than proportional to the text, with %s', (_, textOf) => {
    const cost = (size: number): number => {
      const text = textOf(size);
      const start = performance.now();
      for (let run = 0; run < 5; run += 1) parseJson(text, 'The text', { bytes: 2_000_000, depth: 3 });
      return performance.now() - start;
    };
    cost(10_000);
    expect(cost(1_000_000)).toBeLessThan(20 * (cost(125_000) + 20));
  });
});
