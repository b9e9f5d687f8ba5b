import { ApiError } from '@drawbridge/contracts';
import { toHookFailure } from './trigger-hooks.js';

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
