import { MAX_KEY_BYTES, MAX_MEMBERS, MAX_VALUES, requireParsable } from './json-cost.js';

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
    expect(() => check(text)).toThrow(/^body: must not/);
  });
});
