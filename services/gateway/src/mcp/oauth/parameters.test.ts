import { requireParameters, toParameters } from './parameters.js';

it.each<[string, string[]]>([
  ['', []],
  ['a=1&b=2', []],
  ['a=1&b=2&a=3&b=4&a=5', ['a', 'b']],
  ['a&a', ['a']],
  ['a=1&%61=2', ['a']],
  ['__proto__=1&constructor=2', []],
])('tells which names %j says more than once', (text, repeated) =>
  expect(toParameters(text).repeated).toEqual(repeated),
);

it('reads the first, as where nothing is said twice there is no other', () => {
  const { get } = toParameters('a=1&b=&a=2');
  expect(['a', 'b', 'c', '__proto__'].map(get)).toEqual(['1', '', '', '']);
  expect(() => requireParameters('a=1&a=2')).toThrow(expect.objectContaining({ code: 'invalid_request' }));
});

it('takes a book of names', () => {
  const names = Array.from({ length: 200_000 }, (_, n) => `n${n}`);
  expect(toParameters([...names, 'n7'].join('&')).repeated).toEqual(['n7']);
});
