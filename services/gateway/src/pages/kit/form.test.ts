import { returnTo } from './form.js';

it.each(['/account', '/approvals/1?token=x', '/sign-up?invitation=1'])('goes on to a path of ours: %s', (path) => {
  expect(returnTo(path)).toBe(path);
});

it.each([
  undefined,
  ['/a'],
  '',
  'account',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/a\\..\\..\\evil',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e//evil.example',
  '/a/%2E.//evil.example',
  '/.//%2e/\\evil.example',
  '/\t/evil.example',
  '/ü',
  `/${'a'.repeat(3_000)}`,
  'javascript:alert(1)',
])('goes home instead of elsewhere: %j', (given) => {
  expect(returnTo(given)).toBe('/account');
});
