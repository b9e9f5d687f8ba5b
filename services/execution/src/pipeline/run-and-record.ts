import { type Credential, type JsonObject } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ActionFailure, type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { describeError, withSpan } from '@drawbridge/rpc';
import { type Key } from '../claims/claims.js';
import { type Lease, noLease } from '../claims/lease.js';
import { type Pipeline } from './pipeline.js';
import { type Outcome, OUTCOME_UNKNOWN, toActionOutcome } from '../run-log/outcome.js';
import { type Run } from '../run-log/record.js';
import { type Redactor } from '../redaction/redactor.js';
import { refuseConnection } from '../running/refuse-connection.js';
import { toLogged } from '../run-log/run-log.js';
import { runPiece } from '../running/run-piece.js';
import { storeAnswer } from '../run-log/store-answer.js';

/** All that a run needs, decided before it starts. */
export interface Ready {
  run: Run;
  invocation: Invocation;
  credential?: Credential;
  /** Of the credential. */
  version?: string;
  redact: Redactor;
  key: Key | undefined;
  /** Of the claim; kept while the run lives. */
  lease?: Lease;
}

/** From here on every end is an answer: it is recorded, with its event, and stored under the run's key if it has one. */
export async function runAndRecord(pipeline: Pipeline, ready: Ready): Promise<ActionOutcome> {
  const { run, key } = ready;
  const outcome = await withSpan('run', () => runOnce(pipeline, ready)).catch((error: unknown) => {
    pipeline.log.error({ error: describeError(error) }, 'how a run ended could not be told');
    return OUTCOME_UNKNOWN;
  });
  const ended = { outcome, loggedOutput: outcome.outputJson && toLogged(outcome.outputJson) };
  const storing = { ...pipeline, key, lease: ready.lease ?? noLease() };
  const answer = await withSpan('record', () => storeAnswer(run, ended, storing));
  return toActionOutcome(answer.executionId, answer.outcome, false);
}

async function runOnce(pipeline: Pipeline, { run, invocation, credential, version, redact }: Ready): Promise<Outcome> {
  const { actionName, connectionId } = run;
  const piece = findPiece(run.integrationName);
  if (!piece) throw new Error(`No piece ${run.integrationName} in this process`);
  const input = (invocation.input ?? {}) as JsonObject;
  const { send, free } = pipeline.senderFor(run.orgId);
  const onRefused = (failure: ActionFailure): Promise<void> =>
    refuseConnection(pipeline, { connectionId, version }, failure);
  const { replays, log } = pipeline;
  const whole = { piece, actionName, input, credential, redact, send, orgId: run.orgId, replays, onRefused, log };
  return runPiece(whole).finally(free);
}
