import { toolName } from './tool-name.js';

/** The names that the strictest client accepts. */
const TAKEN = /^[a-zA-Z0-9_-]{1,64}$/;
const long = (letter: string, length: number): string => letter.repeat(length);

it('is the alias and the action', () => {
  expect(toolName('github', 'create_issue')).toBe('github__create_issue');
  expect(toolName('github-eu', 'get')).toBe('github-eu__get');
});

it('is the same in every version: clients keep what they allowed', () => {
  expect(toolName(long('a', 64), 'create_issue')).toBe(`${long('a', 53)}-779f6d2929`);
});

const PAIRS = [
  ['github', 'get'],
  ['a', 'b__c'],
  ['a__b', 'c'],
  ['a_', 'b'],
  ['a', '_b'],
  ['a', 'b'],
  [long('a', 64), 'b'],
  [long('a', 64), 'c'],
  [long('a', 31), long('b', 31)],
  [long('a', 31), long('b', 32)],
  ['a', 'send message'],
  ['a', 'send-message'],
  ['a', 'sënd'],
  ['a', 'sand'],
  ['a', '日本語'],
  ['a', long('é', 100)],
] as const;

it.each(PAIRS)('can be taken by every client: %s, %s', (alias, action) => {
  expect(toolName(alias, action)).toMatch(TAKEN);
});

it('is of one pair alone', () => {
  expect(new Set(PAIRS.map(([alias, action]) => toolName(alias, action))).size).toBe(PAIRS.length);
});
