import { toForm } from './form.js';
import type { JsonObject } from './json.js';

it.each<[string, JsonObject, string]>([
  ['scalars', { name: 'a b', count: 7, live: true }, 'name=a b&count=7&live=true'],
  ['objects within objects', { a: { b: { c: 'x' } } }, 'a[b][c]=x'],
  ['a list of scalars', { expand: ['customer', 'charges'] }, 'expand[]=customer&expand[]=charges'],
  ['a list within an object', { a: { b: [1, 2] } }, 'a[b][]=1&a[b][]=2'],
  [
    'a list of objects',
    { items: [{ price: 'p', n: 1 }, { price: 'q' }] },
    'items[0][price]=p&items[0][n]=1&items[1][price]=q',
  ],
  ['a list of lists', { rows: [[1, 2], [3]] }, 'rows[0][]=1&rows[0][]=2&rows[1][]=3'],
  ['null, which empties', { description: null, tags: [null] }, 'description=&tags[]='],
  ['what a form cannot say', { list: [], object: {}, kept: '' }, 'kept='],
  ['nothing', {}, ''],
])('writes %s', (_, values, form) => {
  expect(decodeURIComponent(toForm(values).replaceAll('+', ' '))).toBe(form);
});

it('lets no key or value end its parameter', () => {
  const values = { 'a&b=c': { 'd[e]': 'f&g=h' } };
  expect([...new URLSearchParams(toForm(values))]).toEqual([['a&b=c[d[e]]', 'f&g=h']]);
});
