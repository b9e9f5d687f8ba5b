import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { requireWanted } from './wanted-source.js';

const GOOD = { callbackUrl: 'https://acme.example/events' };
const denies = (url: string): string | undefined => (url.startsWith('https://') ? undefined : 'must use https');

function problemsOf(wanted: object): string[] {
  try {
    requireWanted({ ...GOOD, ...wanted } as EnableTriggerRequest, denies);
    return [];
  } catch (error) {
    return Object.keys((error as { details: { fields: object } }).details.fields);
  }
}

it.each([
  [{}],
  [{ callbackHeaders: { 'x-tenant': 'acme' }, callbackMetadata: { a: { b: 1 } }, input: { repo: 'a/b' } }],
])('takes %j', (wanted) => {
  expect(problemsOf(wanted)).toEqual([]);
});

it.each([
  [{ callbackUrl: 'http://acme.example' }, ['callbackUrl']],
  [{ callbackHeaders: { host: 'x' } }, ['callbackHeaders.host']],
  [{ callbackMetadata: { a: 'x'.repeat(16 * 1024) } }, ['callbackMetadata']],
  [{ callbackMetadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [key, 1])) }, ['callbackMetadata']],
  [{ input: { a: 'x'.repeat(64 * 1024) } }, ['input']],
])('refuses what is wrong with %#, by its key', (wanted, keys) => {
  expect(problemsOf(wanted)).toEqual(keys);
});

it('tells of all problems at once', () => {
  const wanted = { callbackUrl: 'ftp://x', callbackHeaders: { te: 'x', 'x-ok': 'x' } };
  expect(problemsOf(wanted)).toEqual(['callbackUrl', 'callbackHeaders.te']);
});
