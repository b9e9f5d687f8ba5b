import { MAX_VALUES } from './json-cost.js';
import { storageProblems } from './storage-problems.js';

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('what can not be kept', () => {
  it.each<[unknown, string[]]>([
    [{ a: 'x\0' }, ['a']],
    [{ a: [{ b: '\0' }, '\0'] }, ['a[0].b', 'a[1]']],
    [{ ['a\0']: 1 }, ['a']],
    [JSON.parse('{"a": {"__proto__": 1}}'), ['a.__proto__']],
    [JSON.parse('{"a": [1e400, -1e400]}'), ['a[0]', 'a[1]']],
    [JSON.parse('{"a": "\\ud800", "b\\udfff": 1}'), ['a', 'b\ufffd']],
    [nested(40), [Array(32).fill('a').join('.')]],
  ])('is named by its path: %j', (body, paths) => {
    expect(Object.keys(storageProblems(body))).toEqual(paths);
  });

  it('is named at a path of bearable length, and past a hundred problems not looked for', () => {
    let body: object = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [String(index), '\0']));
    for (let level = 0; level < 5; level++) body = { ['x'.repeat(4_000)]: body };
    let looks = 0;
    const get = (list: string[], key: PropertyKey): unknown => (looks++, Reflect.get(list, key));
    const counted = new Proxy(Array<string>(MAX_VALUES).fill('\0'), { get });
    expect(Object.keys(storageProblems(body))).toEqual(['x'.repeat(200)]);
    storageProblems({ ['x'.repeat(300)]: counted });
    expect(looks).toBeLessThan(200);
  });

  it.each([
    [nested(32)],
    [1.7976931348623157e308],
    ['\u{1F600}'],
    [{ a: '\\u0000', constructor: 1 }],
    [[]],
    [null],
    [undefined],
    ['text'],
  ])('is not %j', (body) => {
    expect(storageProblems(body)).toEqual({});
  });
});
