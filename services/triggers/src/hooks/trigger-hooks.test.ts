import { ApiError } from '@drawbridge/contracts';
import { requireStorable, toHookFailure } from './trigger-hooks.js';

const failed = (details: Record<string, unknown>) => new ApiError('ACTION_FAILED', 'no', { details });

it.each([
  [
    'a provider that is busy',
    failed({ retryable: true, provider: { status: 429, retryAfter: 90 } }),
    { isRetryable: true, retryAfterSeconds: 90 },
  ],
  ['a provider that refuses', failed({ retryable: false }), { isRetryable: false }],
  ['a failure that says nothing', failed({}), { isRetryable: true }],
  ['a time that is none', failed({ provider: { retryAfter: 'soon' } }), { isRetryable: true }],
  ['a connection that is gone', new ApiError('CONNECTION_REQUIRED', 'gone'), { isRetryable: false }],
  ['what a policy blocks', new ApiError('FORBIDDEN', 'blocked'), { isRetryable: false }],
  ['a service that is away', new ApiError('UNAVAILABLE', 'away'), { isRetryable: true }],
  ['anything else', new Error('x'), { isRetryable: true }],
])('reads %s', (_, error, expected) => {
  expect(toHookFailure(error)).toEqual(expected);
});

it.each(['0001-01-01T00:00:00Z', '2026-01-31T09:00:00Z', '9999-12-31T23:59:59.999Z'])(
  'keeps the time %s',
  (renewAt) => {
    expect(() => requireStorable({ stateJson: '{}', renewAt })).not.toThrow();
  },
);

it.each([
  'soon',
  '',
  '0000-12-31T00:00:00Z',
  '-000001-01-01T00:00:00Z',
  '+010000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
])('refuses %p as the time of a renewal, because it could not be stored', (renewAt) => {
  const failure = expect.objectContaining({ code: 'ACTION_FAILED' });
  expect(() => requireStorable({ stateJson: '{}', renewAt })).toThrow(failure);
});
