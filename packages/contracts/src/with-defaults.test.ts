import { withDefaults } from './with-defaults.js';

it.each<[defaults: object, given: object, input: object]>([
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, { a: 2 }, { a: 2 }],
  [{ a: 1 }, { a: null }, {}],
  [{}, { a: null }, { a: null }],
  [{ a: { b: 1 } }, { a: { c: 2 } }, { a: { c: 2 } }],
])('%j beneath %j is %j', (defaults, given, input) => {
  expect(withDefaults({ ...defaults }, { ...given })).toEqual(input);
});
