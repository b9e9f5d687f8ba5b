import type { Answer } from './send.js';
import { toProviderError } from './to-provider-error.js';

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const isText = typeof body === 'string';
  const bytes = new TextEncoder().encode(isText ? body : JSON.stringify(body));
  const type = isText ? 'text/plain' : 'application/json; charset=utf-8';
  return { status, headers: { 'content-type': type, ...headers }, body: bytes, url: 'https://api.example.com/x' };
}

it.each<[string, unknown, string, string | undefined]>([
  ['message and code', { message: 'No', code: 'denied' }, 'No', 'denied'],
  ['an error object', { error: { message: 'No', type: 'invalid_request' } }, 'No', 'invalid_request'],
  ['an OAuth error', { error: 'invalid_grant', error_description: 'Expired' }, 'Expired', 'invalid_grant'],
  ['an error text', { error: 'not_found' }, 'not_found', 'not_found'],
  ['a problem document', { title: 'Bad', detail: 'No', status: 400 }, 'No', undefined],
  ['a list of errors', { errors: [{ message: 'No', code: 7 }] }, 'No', '7'],
  ['a list of texts', { errors: ['No'] }, 'No', undefined],
  [
    'a GitHub validation',
    { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
    'Validation Failed: title missing_field',
    'missing_field',
  ],
  ['plain text', 'No', 'No', undefined],
  ['a page', '<html>No</html>', 'The provider answered 400', undefined],
  ['nothing', '', 'The provider answered 400', undefined],
  ['another shape', [1], 'The provider answered 400', undefined],
])('reads the message and code of %s', (_, body, message, code) => {
  expect(toProviderError(answer(400, body))).toMatchObject({ message, code, status: 400, retryable: false });
});

it('hands on a long message and code whole', () => {
  const { message, code } = toProviderError(answer(400, { message: 'x'.repeat(9999), code: 'x'.repeat(9999) }));
  expect([message.length, code?.length]).toEqual([9999, 9999]);
});

it.each<[number, Record<string, string>, boolean]>([
  [400, {}, false],
  [401, {}, false],
  [403, {}, false],
  [403, { 'x-ratelimit-remaining': '0' }, true],
  [403, { 'retry-after': '1' }, true],
  [404, {}, false],
  [408, {}, true],
  [429, {}, true],
  [500, {}, true],
  [501, {}, false],
  [503, {}, true],
])('judges whether %i with %j may succeed later', (status, headers, retryable) => {
  expect(toProviderError(answer(status, {}, headers)).retryable).toBe(retryable);
});

it('reads Retry-After in seconds and as a date, and ignores nonsense', () => {
  const after = (value: string) => toProviderError(answer(429, {}, { 'retry-after': value })).retryAfter;
  expect(after('120')).toBe(120);
  expect(after('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(0);
  expect(after('soon')).toBeUndefined();
});
