import { stripBody } from './strip-types.js';

it.each([
  ['return 1', 'return 1'],
  ['const a: number = 1; return await f(a)', 'const a         = 1; return await f(a)'],
  ['', ''],
])('removes the types of %j', (code, stripped) => expect(stripBody(code)).toEqual({ code: stripped }));

it.each([
  ['return 1 +', 1, 11],
  ['const a = 1;\nconst 2 = a', 2, 7],
])('reports the position of the syntax error in %j', (code, line, column) => {
  expect(stripBody(code)).toMatchObject({ error: { code: 'SYNTAX_ERROR', line, column } });
});
