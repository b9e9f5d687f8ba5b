import type { HttpRequest } from './http.js';
import { linkNext } from './link-next.js';

const URL_ASKED = 'https://api.example.com/repos/o/r/issues?page=1';
const request: HttpRequest = { method: 'GET', path: '/repos/o/r/issues', query: { page: 1 }, headers: { accept: 'a' } };

function next(link: string | undefined, changes: { answeredFrom?: string; asked?: HttpRequest } = {}) {
  const { answeredFrom = URL_ASKED, asked = request } = changes;
  const headers: Record<string, string> = link === undefined ? {} : { link };
  const answer = { status: 200, headers, body: Buffer.from('[]'), url: answeredFrom };
  return linkNext({ request: asked, url: URL_ASKED, answer, body: [] });
}

it.each([
  ['the only one', '<https://api.example.com/x?page=2>; rel="next"', '/x?page=2'],
  [
    'one of several',
    '<https://api.example.com/x?p=0>; rel="prev", <https://api.example.com/x?p=2>; rel="next"',
    '/x?p=2',
  ],
  ['one without quotes', '<https://api.example.com/x?page=2>;rel=next', '/x?page=2'],
  ['one of several relations', '</x?page=2>; rel="last NEXT"', '/x?page=2'],
  ['a relative one', '<?page=2>; rel="next"', '/repos/o/r/issues?page=2'],
  ['one with commas and semicolons', '</x?a=1,2;3>; title="a, <b>; rel=\\"prev\\""; rel="next"', '/x?a=1,2;3'],
])('follows %s', (_, link, path) => {
  expect(next(link)).toEqual({ ...request, path, query: undefined });
});

it.each([
  ['no header', undefined],
  ['no next', '<https://api.example.com/x>; rel="last"'],
  ['another relation', '<https://api.example.com/x>; rel="next-archive"'],
  ['a next within another text', '<https://api.example.com/x>; title="; rel=next"; rel="last"'],
  ['a second rel', '<https://api.example.com/x>; rel="last"; rel="next"'],
  ['nonsense', 'rel="next"; <'],
])('ends at %s', (_, link) => {
  expect(next(link)).toBeUndefined();
});

it.each([
  ['another host', '<https://evil.example/x>; rel="next"', {}],
  ['a host that only looks alike', '<https://api.example.com.evil.example/x>; rel="next"', {}],
  ['another host, without its scheme', '<//evil.example/x>; rel="next"', {}],
  ['another scheme', '<http://api.example.com/x>; rel="next"', {}],
  ['another port', '<https://api.example.com:8443/x>; rel="next"', {}],
  ['no address', '<https://>; rel="next"', {}],
  ['where a redirect had led', '<?page=2>; rel="next"', { answeredFrom: 'https://other.example/x' }],
])('refuses %s', (_, link, changes) => {
  expect(() => next(link, changes)).toThrow('The provider names a next page at another address');
});

it('keeps to whole addresses where the piece has no origin', () => {
  const asked = { method: 'GET', path: URL_ASKED };
  const path = 'https://api.example.com/x?page=2';
  expect(next('</x?page=2>; rel="next"', { asked })).toEqual({ ...asked, path, query: undefined });
  expect(() => next('<https://evil.example/x>; rel="next"', { asked })).toThrow('at another address');
});

it('reads a long header at once', () => {
  expect(next('<'.repeat(100_000))).toBeUndefined();
  expect(next('<a>;b="'.repeat(20_000))).toBeUndefined();
  expect(next(`<a>${'; b'.repeat(40_000)}`)).toBeUndefined();
});
