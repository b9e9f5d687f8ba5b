import { type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { currentContext, withSpan } from '@drawbridge/rpc';
import { findStored } from '../claims/claims.js';
import { toActionOutcome } from '../run-log/outcome.js';
import { type Call, type Pipeline } from './pipeline.js';

/** The stored answer of this call's idempotency key, once the run that holds it has ended; undefined where there is none. */
export async function replay({ looks }: Pipeline, { key }: Call): Promise<ActionOutcome | undefined> {
  if (!key) return undefined;
  const signal = currentContext()?.signal ?? new AbortController().signal;
  const stored = await withSpan('replay', () => findStored(looks, key, signal));
  return stored && toActionOutcome(stored.executionId, stored.outcome, true);
}
