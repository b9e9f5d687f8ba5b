import { ApiError } from '@drawbridge/contracts';
import { type Credential, type JsonObject } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type Invocation } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ActionOutcome } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { withSpan } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Key, readStored } from './claims.js';
import { type Pipeline } from './pipeline.js';
import { type Outcome, toActionOutcome } from './outcome.js';
import { recordRun, type Run, settleClaim } from './record.js';
import { cut, type Redact } from './redact.js';
import { runPiece } from './run-piece.js';

/** All that a run needs, decided before it starts. */
export interface Ready {
  run: Run;
  invocation: Invocation;
  credential: Credential | undefined;
  redact: Redact;
  key: Key | undefined;
}

/** From here on every end is an answer: it is recorded, with its event, and stored under the run's key if it has one. */
export async function runAndRecord({ pool, sendFor, log, onRecorded }: Pipeline, ready: Ready): Promise<ActionOutcome> {
  const { run, invocation, credential, redact, key } = ready;
  const piece = findPiece(run.integrationName);
  if (!piece) throw new ApiError('INTERNAL', `No piece ${run.integrationName} in this process`);

  const input = (invocation.input ?? {}) as JsonObject;
  const raw = await withSpan('run', () =>
    runPiece({ piece, actionName: run.actionName, input, credential, redact, send: sendFor(run.orgId), log }),
  );
  const outcome = redactOutcome(raw, redact);
  const ended = { outcome, loggedOutput: outcome.outputJson && cut(outcome.outputJson) };

  if (!key) await withSpan('record', () => recordRun(pool, run, ended));
  else if (!(await withSpan('record', () => settleClaim(pool, run, { ...ended, key: key.key })))) {
    return answerOfOthers(pool, key);
  }
  onRecorded();
  return toActionOutcome(run.id, outcome, false);
}

function redactOutcome({ outputJson, failure, duration }: Outcome, redact: Redact): Outcome {
  if (failure) return { failure: redact(failure), duration };
  return { outputJson: JSON.stringify(redact(JSON.parse(outputJson ?? '{}'))), duration };
}

/** The lease lapsed while the run went on, and waiters were told that its outcome is unknown: everyone hears the same. */
async function answerOfOthers(pool: Pool, key: Key): Promise<ActionOutcome> {
  const stored = await readStored(pool, key);
  if (!stored) throw new ApiError('UNAVAILABLE', 'The answer of this run is gone; ask the run log');
  return toActionOutcome(stored.executionId, stored.outcome, true);
}
