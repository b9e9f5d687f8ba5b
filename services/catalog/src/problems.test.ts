import {
  checkbox,
  dateTime,
  file,
  inputSchema,
  json,
  multiSelect,
  number,
  shortText,
  staticDropdown,
} from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { compileCheck, requireNoProblems } from './problems.js';

const scalar = { anyOf: [{ type: 'string' }, { type: 'number' }] } as const;
const props = {
  title: shortText('Title', { required: true, minLength: 2, maxLength: 5, pattern: '^[a-z]+$' }),
  labels: multiSelect('Labels'),
  count: number('Count', { integer: true, minimum: 1, maximum: 9 }),
  draft: checkbox('Draft'),
  size: staticDropdown('Size', ['small', 'large']),
  due: dateTime('Due'),
  headers: json('Headers', {
    schema: {
      type: 'object',
      propertyNames: { type: 'string', pattern: '^[a-z/]+$' },
      additionalProperties: { type: 'string' },
    },
  }),
  query: json('Query', { schema: { type: 'object', additionalProperties: scalar } }),
  logo: file('Logo'),
};
const check = compileCheck(inputSchema(props), 'input');

describe('the problems of an input', () => {
  it('are none when it is valid', () => {
    const input = { title: 'abc', labels: ['x'], count: 9, draft: false, size: 'large', query: { a: 1 } };
    expect(check({ ...input, due: '2026-01-31T10:00Z', headers: { a: 'b' } })).toEqual({});
  });

  it.each<[string, object, Record<string, string>]>([
    ['a missing key', {}, { 'input.title': 'is required' }],
    ['an unknown key', { title: 'abc', titel: 1 }, { 'input.titel': 'unknown key. Did you mean title?' }],
    ['null', { title: null }, { 'input.title': 'must be string' }],
    ['a wrong type', { title: 'abc', draft: 'yes' }, { 'input.draft': 'must be boolean' }],
    ['a value outside a set', { title: 'abc', size: 'huge' }, { 'input.size': 'must be one of small, large' }],
    ['a fraction', { title: 'abc', count: 1.5 }, { 'input.count': 'must be integer' }],
    ['a number too small', { title: 'abc', count: 0 }, { 'input.count': 'must be >= 1' }],
    [
      'an item',
      { title: 'abc', labels: ['a', 7, 8] },
      { 'input.labels[1]': 'must be string', 'input.labels[2]': 'must be string' },
    ],
    [
      'a missing key inside',
      { title: 'abc', logo: { filename: 'a', base64: '' } },
      { 'input.logo.mimeType': 'is required' },
    ],
    ['a value inside', { title: 'abc', headers: { a: 1 } }, { 'input.headers.a': 'must be string' }],
    ['a key with a slash', { title: 'abc', headers: { 'a/b': 1 } }, { 'input.headers.a/b': 'must be string' }],
    [
      'a number as a key',
      { title: 'abc', query: { 7: true } },
      { 'input.query.7': 'must be string or must be number' },
    ],
    [
      'the name of a key',
      { title: 'abc', headers: { A: 'x' } },
      { 'input.headers.A': 'its name must match pattern "^[a-z/]+$"' },
    ],
    [
      'every rule that a value breaks',
      { title: 'A' },
      { 'input.title': 'must NOT have fewer than 2 characters and must match pattern "^[a-z]+$"' },
    ],
  ])('name %s', (_what, input, problems) => {
    expect(check(input)).toEqual(problems);
  });

  it('are all named at once', () => {
    const problems = check({ count: 10, draft: 1, other: 1, logo: {} });
    expect(Object.keys(problems).sort()).toEqual([
      'input.count',
      'input.draft',
      'input.logo.base64',
      'input.logo.filename',
      'input.logo.mimeType',
      'input.other',
      'input.title',
    ]);
  });

  it('are only the first of a very large input', () => {
    expect(check({ title: 'abc', labels: Array(100_000).fill(1) })).toEqual({ 'input.labels[0]': 'must be string' });
  });

  it('are only the first of a very long text, which is its length: no pattern is tried on it', () => {
    const email = { type: 'string', pattern: '^[^@]+@[^@]+$', maxLength: 320 };
    const one = compileCheck({ type: 'object', properties: { email, name: { type: 'string' } } }, 'input');
    const problems = one({ email: '@'.repeat(20_000), name: 5 });
    expect(problems).toEqual({ 'input.email': 'must NOT have more than 320 characters' });
  });

  it('are the first 100, by the beginnings of their paths', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`k${index}`, true]));
    expect(Object.keys(check({ title: 'abc', query: many }))).toHaveLength(100);
    const path = `input.query.${'k'.repeat(500)}`;
    expect(Object.keys(check({ title: 'abc', query: { [path.slice(12)]: true } }))).toEqual([path.slice(0, 200)]);
  });

  it('are only the first of a list under a very long key', () => {
    const lists = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };
    const problems = compileCheck(lists, 'input')({ ['/'.repeat(17_000)]: Array(9).fill(1) });
    expect(Object.keys(problems)).toEqual([`input.${'/'.repeat(194)}`]);
  });

  it('are refused with as many as fit into an answer', () => {
    const refuse = (count: number) => () => requireNoProblems(check({ title: 'abc', labels: Array(count).fill(1) }));
    expect(refuse(0)).not.toThrow();
    expect(refuse(100)).toThrow('input.labels[99]: must be string');
    expect(refuse(1_000)).toThrow(/^.{1,8000}$/);
  });

  it('never quote a value', () => {
    const problems = check({
      title: 'ghp_SECRET',
      labels: [{ ghp_SECRET: 1 }],
      draft: 'ghp_SECRET',
      size: 'ghp_SECRET',
    });
    expect(JSON.stringify(problems)).not.toContain('ghp_SECRET');
  });
});

/** `npm test` compiles one schema of each piece. The tests of the pieces compile every schema with a strict validator. */
const COMPILED = process.env['FULL'] === '0' ? 1 : Infinity;

it.each(
  Object.values(pieces).flatMap(({ name, actions }) =>
    Object.entries(actions)
      .slice(0, COMPILED)
      .map(([key, action]) => [name, key, action] as const),
  ),
)('compiles the input of %s %s', (_piece, _action, action) => {
  expect(compileCheck(inputSchema(action.props), 'input')([])).toEqual({ input: 'must be object' });
});
