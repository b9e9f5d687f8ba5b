import { isRegistered, placeOf, withAnswer } from './authorization-request.js';

const REGISTERED = [
  'https://app.example/callback',
  'http://127.0.0.1/callback',
  'http://localhost:3000/a?b=c',
  'cursor://x/y',
];

it.each([
  'https://app.example/callback',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:52731/callback',
  'http://localhost:9/a?b=c',
  'cursor://x/y',
])('takes %s', (uri) => expect(isRegistered(REGISTERED, uri)).toBe(true));

it.each([
  'https://app.example/callback/',
  'https://app.example/callback?x=1',
  'https://app.example:8443/callback',
  'https://app.example/callback#x',
  'https://APP.example/callback',
  'https://app.example.evil.example/callback',
  'http://app.example/callback',
  'http://127.0.0.1:1/other',
  'http://127.0.0.1:1/callback?x',
  'https://127.0.0.1/callback',
  'http://127.0.0.1@evil.example/callback',
  'http://127.0.0.1:1@evil.example/callback',
  'http://localhost/callback',
  'http://[::1]/callback',
  'cursor://x/z',
  'cursor://x:1/y',
  '',
])('refuses %s', (uri) => expect(isRegistered(REGISTERED, uri)).toBe(false));

it('keeps what an address says, and says nothing twice', () => {
  expect(withAnswer('https://a.example/x?y=1', { code: 'c&d', state: undefined })).toBe(
    'https://a.example/x?y=1&code=c%26d',
  );
  expect(withAnswer('https://a.example/x?y=1?z=2', { code: 'c' })).toBe('https://a.example/x?y=1?z=2&code=c');
  expect(withAnswer('https://a.example/x?', { code: 'c' })).toBe('https://a.example/x?code=c');
  expect(withAnswer('cursor://x/y', { error: 'access_denied' })).toBe('cursor://x/y?error=access_denied');
});

it('says whether a redirect URI leads to the own machine of the user', () => {
  const all = ['https://a.example:8443/x', 'http://127.0.0.1:5/x', 'http://[::1]:5/', 'cursor://x/y'];
  expect(all.map((uri) => placeOf(uri).isLocal)).toEqual([false, true, true, true]);
});
