import { sizeProblems } from './credential-size.js';

const KIB_64 = 64 * 1024;
const props = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 1]));

it.each<[string, Record<string, unknown>, string[]]>([
  ['nothing', {}, []],
  ['a text of 64 kB', { secretText: 'x'.repeat(KIB_64) }, []],
  ['one byte more', { secretText: 'x'.repeat(KIB_64 + 1) }, ['secretText']],
  ['bytes, not characters', { secretText: '漢'.repeat(KIB_64 / 2) }, ['secretText']],
  ['the larger of two that are too much together', { username: 'x', password: 'y'.repeat(KIB_64) }, ['password']],
  ['an object with its JSON', { props: { key: 'x'.repeat(KIB_64 - 10) } }, []],
  ['an object one byte larger', { props: { key: 'x'.repeat(KIB_64 - 9) } }, ['props']],
  ['100 props', { props: props(100) }, []],
  ['101 props', { props: props(101) }, ['props']],
  ['values of lists and deeper', { data: { list: [props(50), props(46)], a: null } }, []],
  ['one more of them', { data: { list: [props(50), props(47)], a: null } }, ['data']],
  ['absent fields', { secretText: 'x', props: undefined }, []],
])('%s', (_what, fields, problems) => {
  expect(Object.keys(sizeProblems(fields))).toEqual(problems);
});
