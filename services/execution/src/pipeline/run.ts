import { describeError, withSpan } from '@drawbridge/rpc';
import { type ReplayInThread } from '../large-answers/continue-in-thread.js';
import { type Outcome, OUTCOME_UNKNOWN } from '../run-log/outcome.js';
import { refuseConnection } from '../running/refuse-connection.js';
import { runPiece } from '../running/run-piece.js';
import { type ClaimedRun } from './claim.js';
import { type Pipeline } from './pipeline.js';

/** Runs the action. Never rejects: a failure is an outcome. */
export async function run(pipeline: Pipeline, claimed: ClaimedRun): Promise<Outcome> {
  return withSpan('run', () => runOnce(pipeline, claimed)).catch((error: unknown) => {
    pipeline.log.error({ error: describeError(error) }, 'how a run ended could not be told');
    return OUTCOME_UNKNOWN;
  });
}

async function runOnce(pipeline: Pipeline, claimed: ClaimedRun): Promise<Outcome> {
  const { request, who } = claimed;
  const startedAt = performance.now();
  const { send, release } = pipeline.senderFor(who.orgId);
  const { actionName } = request;
  const replay: ReplayInThread = (job, signal) => pipeline.replayPool.replay(who.orgId, job, signal);
  const ended = await runPiece({ ...claimed, actionName, send, replay }).finally(release);
  const { isRefused, defect, ...result } = ended;
  const duration = Math.round(performance.now() - startedAt);
  if (defect) pipeline.log.error({ error: describeError(defect) }, 'a piece failed unexpectedly');
  if (isRefused && result.failure) await refuseConnection(pipeline, claimed, result.failure);
  return { ...result, duration };
}
