import { unkeepable } from './unkeepable.js';

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('what can not be kept', () => {
  it.each<[unknown, string[]]>([
    [{ a: 'x\0' }, ['a']],
    [{ a: [{ b: '\0' }, '\0'] }, ['a[0].b', 'a[1]']],
    [{ ['a\0']: 1 }, ['a']],
    [JSON.parse('{"a": {"__proto__": 1}}'), ['a.__proto__']],
    [nested(40), [Array(32).fill('a').join('.')]],
  ])('is named by its path: %j', (body, paths) => {
    expect(Object.keys(unkeepable(body))).toEqual(paths);
  });

  it.each([[nested(32)], [{ a: '\\u0000', constructor: 1 }], [[]], [null], [undefined], ['text']])(
    'is not %j',
    (body) => {
      expect(unkeepable(body)).toEqual({});
    },
  );
});
