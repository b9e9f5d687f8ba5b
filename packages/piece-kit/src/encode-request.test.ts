import { expandPath, toForm, toUrl } from './encode-request.js';
import { type JsonObject } from './json.js';
import { InputError } from './provider-error.js';

const ORIGIN = 'https://api.example.com';

describe('expandPath', () => {
  it.each([
    ['/repos/{+repo}/issues/{number}', { repo: 'o/r', number: 7 }, '/repos/o/r/issues/7'],
    ['/files/{name}', { name: 'a/b c?d#e%2f' }, '/files/a%2Fb%20c%3Fd%23e%252f'],
    ['/files/{+path}', { path: 'dir/ä?.txt' }, '/files/dir/%C3%A4%3F.txt'],
    ['/files/{name}', { name: '%2e%2e' }, '/files/%252e%252e'],
    ['/files/{name}', { name: '...' }, '/files/...'],
  ])('fills %s', (template, values, path) => {
    expect(expandPath(template, values)).toBe(path);
    expect(new URL(ORIGIN + path).pathname).toBe(path);
  });

  it.each(['..', '.', '', '../x', 'a/../b', 'a//b', '/a', 'a/', '\ud800'])('refuses %j as a path', (value) => {
    expect(() => expandPath('/files/{+path}', { path: value })).toThrow(InputError);
  });

  it('refuses a value that is missing', () => {
    expect(() => expandPath('/files/{name}', {})).toThrow(InputError);
  });
});

describe('toUrl', () => {
  it('repeats a key for a list, omits absent values and keeps the query of the path', () => {
    const query = { tag: ['a b', 'c&d'], page: 2, all: false, none: undefined };
    expect(toUrl({}, `${ORIGIN}/x?own=1`, query)).toBe(`${ORIGIN}/x?own=1&tag=a+b&tag=c%26d&page=2&all=false`);
  });

  it.each(['@evil.example', 'x', 'https://evil.example/'])('does not leave the origin by the path %s', (path) => {
    expect(() => toUrl({ origin: ORIGIN }, path)).toThrow('must start with a slash');
  });

  it.each([
    ['https://files.example.com/up?a=1', 'https://files.example.com/up?a=1'],
    ['/x', `${ORIGIN}/x`],
  ])('reaches a further origin by the whole URL: %s', (path, url) => {
    expect(toUrl({ origin: ORIGIN, origins: ['https://files.example.com'] }, path)).toBe(url);
  });

  it.each([
    'https://files.example.com.evil.example/',
    'https://files.example.com@evil.example/',
    'http://files.example.com/',
  ])('takes %s for no further origin', (path) => {
    const origins = { origin: ORIGIN, origins: ['https://files.example.com'] };
    expect(() => toUrl(origins, path)).toThrow('must start with a slash');
  });

  it('keeps a path of two slashes at the origin', () => {
    expect(toUrl({ origin: ORIGIN }, '//evil.example/x')).toBe(`${ORIGIN}//evil.example/x`);
  });
});

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
