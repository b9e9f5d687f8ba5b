import { type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { withSpan } from '@drawbridge/rpc';
import { type Outcome, toActionOutcome } from '../run-log/outcome.js';
import { toLogged } from '../run-log/run-log.js';
import { storeAnswer } from '../run-log/store-answer.js';
import { type ClaimedRun } from './claim.js';
import { type Pipeline } from './pipeline.js';

/** Stores how a run ended, and returns what its caller hears: where its lease lapsed, what others were told. Never rejects. */
export async function record(pipeline: Pipeline, claimed: ClaimedRun, outcome: Outcome): Promise<ActionOutcome> {
  const ended = { outcome, loggedOutput: outcome.outputJson && toLogged(outcome.outputJson) };
  const stored = await withSpan('record', () => storeAnswer(pipeline, claimed, ended));
  return toActionOutcome(stored.executionId, stored.outcome, false);
}
