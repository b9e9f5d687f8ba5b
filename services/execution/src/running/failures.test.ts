import { CodeFailedError, StateError } from '@drawbridge/piece-kit';
import { pieces } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { toFailure } from './failures.js';

const run = { piece: pieces['kv-store']!, redact: redactor([]), isRepeatable: false };

it.each([
  ['QUOTA_EXCEEDED', { retryable: false, provider: { code: 'QUOTA_EXCEEDED' } }],
  ['END_USER_DELETED', { retryable: false, provider: { code: 'END_USER_DELETED' } }],
  ['TOO_BUSY', { retryable: true, provider: { code: 'TOO_BUSY' } }],
  ['UNAVAILABLE', { retryable: true, provider: { code: 'UNAVAILABLE' } }],
  ['OUTCOME_UNKNOWN', { retryable: false, reason: 'outcome_unknown' }],
] as const)('tells whether what failed with %s may be asked again', (code, details) => {
  expect(toFailure(new StateError(code, 'why'), run)).toMatchObject({ code: 'ACTION_FAILED', details });
});

it('states the reason of a program with an unknown outcome, so that callers do not repeat it', () => {
  const error = new CodeFailedError({ code: 'OUTCOME_UNKNOWN', message: 'lost' });
  const details = {
    reason: 'outcome_unknown',
    retryable: false,
    provider: { code: 'OUTCOME_UNKNOWN', message: 'lost' },
  };
  expect(toFailure(error, run)).toMatchObject({ code: 'ACTION_FAILED', details });
});
