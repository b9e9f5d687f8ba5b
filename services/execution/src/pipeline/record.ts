import { withSpan } from '@drawbridge/rpc';
import { type StoredAnswer } from '../claims/claims.js';
import { type Outcome } from '../run-log/outcome.js';
import { toLogged } from '../run-log/run-log.js';
import { storeAnswer } from '../run-log/store-answer.js';
import { type ClaimedRun } from './claim.js';
import { type Pipeline } from './pipeline.js';

/** Stores the outcome and returns the caller's answer. If the lease lapsed, that is the answer that waiters already got. Never rejects. */
export async function record(pipeline: Pipeline, claimed: ClaimedRun, outcome: Outcome): Promise<StoredAnswer> {
  const ended = { outcome, loggedOutput: outcome.outputJson && toLogged(outcome.outputJson) };
  return withSpan('record', () => storeAnswer(pipeline, claimed, ended));
}
