import { type EnableTriggerRequest } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { headerProblems, requireWanted } from './validate-trigger.js';

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

const headerProblemsOf = (headers: Record<string, unknown>): string[] =>
  headerProblems(headers).map(([path, why]) => `${path} ${why}`);

describe('the headers of a callback', () => {
  it.each([
    [{}],
    [{ authorization: 'Bearer x', 'X-Tenant': 'acme', cookie: 'a=b' }],
    [{ 'x-empty': '' }],
    [{ 'x-tab': 'a\tb' }],
    [Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'v']))],
  ])('may be %j', (headers) => {
    expect(headerProblems(headers)).toEqual([]);
  });

  it.each([
    'Connection',
    'content-length',
    'Content-Type',
    'content-encoding',
    'expect',
    'HOST',
    'keep-alive',
    'te',
    'trailer',
    'Transfer-Encoding',
    'upgrade',
    'proxy-authorization',
    'webhook-id',
    'Webhook-Signature',
    'X-Svc-Signature',
    'x-svc-anything',
  ])('are refused where %s is reserved', (name) => {
    expect(headerProblemsOf({ [name]: 'x' })).toEqual([`callbackHeaders.${name} is reserved`]);
  });

  it.each([
    [{ 'a b': 'x' }, 'callbackHeaders.a b is not a valid header name'],
    [{ '': 'x' }, 'callbackHeaders. is not a valid header name'],
    [{ 'x-é': 'x' }, 'callbackHeaders.x-é is not a valid header name'],
    [{ x: 1 }, 'callbackHeaders.x must be a string'],
    [{ x: null }, 'callbackHeaders.x must be a string'],
    [{ x: 'a\r\nhost: evil' }, 'callbackHeaders.x must contain only printable ASCII characters'],
    [{ x: 'é' }, 'callbackHeaders.x must contain only printable ASCII characters'],
    [{ x: 'a', X: 'b' }, 'callbackHeaders.X is repeated'],
  ])('cannot be %j', (headers, problem) => {
    expect(headerProblemsOf(headers)).toEqual([problem]);
  });

  it('are at most 20, and 8 kB', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`x-${index}`, 'v']));
    expect(headerProblemsOf(many)).toEqual(['callbackHeaders must have at most 20 headers (got 21)']);
    expect(headerProblemsOf({ x: 'v'.repeat(8_192) })).toEqual([
      'callbackHeaders must be at most 8192 bytes as JSON (got 8200)',
    ]);
  });
});
