import { type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { currentContext, withSpan } from '@drawbridge/rpc';
import { findStoredAnswer } from '../claims/claims.js';
import { type IdempotencyKey } from '../claims/idempotency-key.js';
import { toActionOutcome } from '../run-log/outcome.js';
import { type Pipeline } from './pipeline.js';

/** The stored answer of an idempotency key, once the run that holds it has ended; undefined where there is none. */
export async function replay({ claimPoller }: Pipeline, key: IdempotencyKey): Promise<ActionOutcome | undefined> {
  const signal = currentContext()?.signal ?? new AbortController().signal;
  const stored = await withSpan('replay', () => findStoredAnswer(claimPoller, key, signal));
  return stored && toActionOutcome(stored.executionId, stored.outcome, true);
}
