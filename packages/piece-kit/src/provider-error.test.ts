import { type Answer } from './answer.js';
import { isCredentialRefused, piece, type PieceAuth, ProviderError, type ProviderFailure } from './index.js';
import { type FailureBody, toProviderError } from './provider-error.js';

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const isText = typeof body === 'string';
  const bytes = new TextEncoder().encode(isText ? body : JSON.stringify(body));
  const type = isText ? 'text/plain' : 'application/json; charset=utf-8';
  return { status, headers: { 'content-type': type, ...headers }, body: bytes, url: 'https://api.example.com/x' };
}

const JIRA: FailureBody = { message: ['errorMessages', 'errors'] };
type Failure = { message: string; code?: string };

it.each<[string, unknown, string, string | undefined]>([
  ['message and code', { message: 'No', code: 'denied' }, 'No', 'denied'],
  ['an error object', { error: { message: 'No', type: 'invalid_request' } }, 'No', 'invalid_request'],
  ['an OAuth error', { error: 'invalid_grant', error_description: 'Expired' }, 'Expired', 'invalid_grant'],
  ['an error text', { error: 'not_found' }, 'not_found', 'not_found'],
  ['a problem document', { title: 'Bad', detail: 'No', status: 400 }, 'No', undefined],
  ['a list of errors', { errors: [{ message: 'No', code: 7 }] }, 'No', '7'],
  [
    'a list of errors with a field',
    { errors: [{ message: 'is required', field: 'to' }] },
    'to: is required',
    undefined,
  ],
  ['a list of errors without a field', { errors: [{ message: 'No', field: null }] }, 'No', undefined],
  ['a list of texts', { errors: ['No'] }, 'No', undefined],
  [
    'a GitHub validation',
    { message: 'Validation Failed', errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] },
    'Validation Failed: title missing_field',
    'missing_field',
  ],
  ['plain text', 'No', 'No', undefined],
  ['a page', '<html>No</html>', 'The provider responded with status 400', undefined],
  ['nothing', '', 'The provider responded with status 400', undefined],
  ['another shape', [1], 'The provider responded with status 400', undefined],
])('reads the message and code of %s', (_, body, message, code) => {
  expect(toProviderError(answer(400, body))).toMatchObject({ message, code, status: 400, retryable: false });
});

it.each<[string, unknown, FailureBody, Failure]>([
  [
    'a list',
    [{ errorCode: 'INVALID_SESSION_ID', message: 'Expired' }],
    { code: ['0.errorCode'], message: ['0.message'] },
    { message: 'Expired', code: 'INVALID_SESSION_ID' },
  ],
  ['a list of texts', { errorMessages: ['No issue'], errors: {} }, JIRA, { message: 'No issue' }],
  ['a list of objects', { fault: [{ message: 'No' }] }, { message: ['fault'] }, { message: 'No' }],
  [
    'texts by field',
    { errorMessages: [], errors: { summary: 'is missing' } },
    JIRA,
    { message: 'summary: is missing' },
  ],
  ['lists by field', { message: { title: ['is long'] } }, { message: ['message'] }, { message: 'title: is long' }],
  [
    'a description',
    { ok: false, error_code: 400, description: 'Bad chat' },
    { message: ['description'], code: ['error_code'] },
    { message: 'Bad chat', code: '400' },
  ],
  ['the usual shape', { message: 'No', code: 'x' }, { message: ['a.b'], code: ['a'] }, { message: 'No', code: 'x' }],
])('reads declared paths of %s', (_, body, failure, expected) => {
  const { message, code } = toProviderError(answer(400, body), {}, { failure });
  expect({ message, code }).toEqual({ code: undefined, ...expected });
});

it('prefers what a piece has read to the response', () => {
  const stated = { message: 'Own', code: 'own', retryable: true, retryAfter: 7 };
  const response = answer(429, { message: 'No', code: 'x' }, { 'retry-after': '1' });
  expect(toProviderError(response, stated)).toMatchObject(stated);
  expect(toProviderError(response, { retryable: false }).retryable).toBe(false);
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
  [502, {}, true],
  [504, {}, true],
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

const ORIGIN = 'https://api.example.com';

function isRefused(failure: ProviderFailure, auth?: Partial<PieceAuth>, origin: string | undefined = ORIGIN): boolean {
  const about = { name: 'example', displayName: 'Example', description: 'An example.', categories: ['CORE'] as const };
  const declared = auth && { types: ['SECRET_TEXT'] as const, required: true, ...auth };
  return isCredentialRefused(
    piece({ ...about, origin, auth: declared, actions: {} }),
    new ProviderError('No', failure),
  );
}

it.each<[ProviderFailure, boolean]>([
  [{ status: 401 }, true],
  [{ status: 401, code: 'expired' }, true],
  [{ status: 401, isElsewhere: true }, false],
  [{ status: 403 }, false],
  [{ status: 407 }, false],
  [{ status: 400, code: '401' }, false],
  [{}, false],
])('takes %j of a piece that says nothing for a refusal: %s', (failure, expected) => {
  expect(isRefused(failure, {})).toBe(expected);
});

it('takes nothing for one where a piece has no connections', () => {
  expect(isRefused({ status: 401 })).toBe(false);
});

it.each<[ProviderFailure, boolean]>([
  [{ status: 401, code: 'token_revoked' }, true],
  [{ status: 401, code: 'not_in_channel' }, false],
  [{ status: 401 }, false],
  [{ status: 200, code: 'invalid_auth' }, true],
  [{ code: 'invalid_auth' }, true],
])('classifies %j by the rules of a piece: %s', (failure, expected) => {
  const refusedWhen = [{ status: 401, code: 'token_revoked' }, { code: 'invalid_auth' }];
  expect(isRefused(failure, { refusedWhen })).toBe(expected);
});

it('takes no answer for one where a piece declares none', () => {
  expect(isRefused({ status: 401 }, { refusedWhen: [] }, '')).toBe(false);
});
