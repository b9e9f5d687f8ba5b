import { MAX_KEY_BYTES, MAX_MEMBERS, MAX_VALUES, requireParsable, storageProblems } from './json-limits.js';

const check = (text: string): void => requireParsable(Buffer.from(text));
const list = (values: number): string => `[${Array(values).fill(1).join(',')}]`;
const key = (bytes: number): string => `{"${'k'.repeat(bytes)}":1}`;

const object = (members: number): string => `{${Array(members).fill('"k":1').join(',')}}`;

describe('a JSON text', () => {
  it.each([
    ['as many values as are allowed', list(MAX_VALUES)],
    ['as many keys as are allowed', object(MAX_MEMBERS)],
    ['commas and brackets inside a text', JSON.stringify(',[{":'.repeat(MAX_VALUES))],
    ['escaped quotes', JSON.stringify('",'.repeat(MAX_VALUES))],
    ['a key as long as is allowed', key(MAX_KEY_BYTES)],
    ['a text longer than a key may be', `["${'x'.repeat(MAX_KEY_BYTES + 1)}"]`],
    ['what is no JSON', '"\\'],
    ['nothing', ''],
  ])('passes with %s', (_what, text) => {
    expect(() => check(text)).not.toThrow();
  });

  it.each([
    ['one value more', list(MAX_VALUES + 1)],
    ['one key more', object(MAX_MEMBERS + 1)],
    ['lists in lists', '['.repeat(MAX_VALUES + 1)],
    ['lists in a list', `[${'[],'.repeat(MAX_VALUES / 2)}[]]`],
    ['members of objects', `[${'{"a":1},'.repeat(MAX_VALUES / 2)}1]`],
    ['a key that is longer', key(MAX_KEY_BYTES + 1)],
    ['a longer key before its colon after a pause', key(MAX_KEY_BYTES + 1).replace(':', ' \n:')],
  ])('is refused with %s', (_what, text) => {
    expect(() => check(text)).toThrow(/^body: must (not|have at most) /);
  });
});

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('what cannot be kept', () => {
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
