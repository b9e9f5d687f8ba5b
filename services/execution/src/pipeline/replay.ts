import { currentContext, withSpan } from '@drawbridge/rpc';
import { findStoredAnswer, type StoredAnswer } from '../claims/claims.js';
import { type IdempotencyKey } from '../claims/idempotency-key.js';
import { type Pipeline } from './pipeline.js';

/** Returns the stored answer of an idempotency key, after the run that holds it has ended; undefined if the key is free. */
export async function replay({ claimPoller }: Pipeline, key: IdempotencyKey): Promise<StoredAnswer | undefined> {
  const signal = currentContext()?.signal ?? new AbortController().signal;
  return withSpan('replay', () => findStoredAnswer(claimPoller, key, signal));
}
