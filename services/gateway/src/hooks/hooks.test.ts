import { MOST, requireReadable } from './hooks.js';

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const values = (many: number): string => `[${Array(many).fill(1).join(',')}]`;
const fields = (many: number): string => Array(many).fill('a=').join('&');
const read = (type: string, text: string): void => requireReadable(type, Buffer.from(text));

it.each([
  ['application/json', lists(MOST.levels)],
  ['application/json', `[${'[],'.repeat(MOST.levels * 2)}"${'['.repeat(MOST.levels * 2)}"]`],
  ['application/json', values(MOST.values)],
  ['application/x-www-form-urlencoded', fields(MOST.members)],
  ['text/plain', lists(MOST.levels + 1)],
  ['application/octet-stream', values(MOST.values + 1)],
  ['', fields(MOST.members + 1)],
  ['', lists(MOST.levels + 1)],
  ['text/plain', '\u0001'.repeat(MOST.controls)],
  ['text/plain', '\r\n\t'.repeat(MOST.controls)],
  ['application/zip', '\u0001'.repeat(MOST.controls + 1)],
])('takes %s #%#', (type, text) => {
  expect(() => read(type, text)).not.toThrow();
});

it.each([
  ['application/json', lists(MOST.levels + 1), 'levels'],
  ['Application/Vnd.Acme+JSON ; charset=utf-8', lists(MOST.levels + 1), 'levels'],
  ['application/json', values(MOST.values + 1), 'values'],
  ['', ` \r\n{"a":${lists(MOST.levels)}}`, 'levels'],
  ['', `{"a":${values(MOST.values)}}`, 'values'],
  ['application/x-www-form-urlencoded; charset=utf-8', fields(MOST.members + 1), 'fields'],
  ...['text/html; charset=utf-8', 'application/json', 'application/x-www-form-urlencoded', 'application/atom+xml'].map(
    (type): [string, string, string] => [type, '\u0000'.repeat(MOST.controls + 1), 'control characters'],
  ),
])('refuses %s that holds too much #%#', (type, text, of) => {
  expect(() => read(type, text)).toThrow(new RegExp(`^body: must (not|have at most) .*${of}$`));
});
