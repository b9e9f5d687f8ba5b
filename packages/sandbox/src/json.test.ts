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
])('accepts %s', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text));
});

it.each([
  ['[[[[]]]]', 'The text has more than 3 levels'],
  [`"${'x'.repeat(99)}"`, 'The text has more than 100 bytes'],
  [`"${'ä'.repeat(50)}"`, 'The text has more than 100 bytes'],
  ['{"__proto__":1}', 'The text has a key __proto__'],
  ['[{"a":1,"__proto__":{}}]', 'The text has a key __proto__'],
  ['{', 'The text is not valid JSON'],
])('refuses %s', (text, message) => {
  expect(() => parse(text)).toThrow(message);
});
