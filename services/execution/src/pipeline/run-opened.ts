import { type JsonObject, type Piece, type State } from '@drawbridge/piece-kit';
import { type Approved } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { describeError } from '@drawbridge/rpc';
import { type AttemptResult } from '../running/attempt.js';
import { refuseConnection } from '../running/refuse-connection.js';
import { type PieceRun, runPiece } from '../running/run-piece.js';
import { isIsolated, limitOf, type Work } from '../running/work.js';
import { type RunInWorker } from '../running/run-as-job.js';
import { type RequireRedirect } from './gate.js';
import { type OpenedCredential, renew } from './open.js';
import { type Pipeline } from './pipeline.js';

/** The work and the credential that it runs with. */
export interface OpenedRun extends OpenedCredential {
  orgId: string;
  /** The approval of the run. */
  approval?: Approved;
  /** The request whose workspace the run uses. */
  request: { workspaceId?: string };
  piece: Piece;
  work: Work;
  input: JsonObject;
  /** The storage of an action that uses state. */
  state?: State;
  /** Cancels the run. */
  leaving?: AbortSignal;
  requireRedirect?: RequireRedirect;
}

/**
 * Runs the work within its organization's share. Renews a credential once if the provider reports it as expired, and marks the
 * connection if the provider refuses the credential. Never rejects: a failure is an outcome.
 */
export async function runOpened(
  pipeline: Pipeline,
  run: OpenedRun,
): Promise<Pick<AttemptResult, 'outputJson' | 'failure'>> {
  const { send, release } = pipeline.senderFor(run.orgId, run.requireRedirect);
  const workers = isIsolated(run.piece, run.work) ? pipeline.processes : pipeline.threads;
  const runInWorker: RunInWorker = (job, signal) => workers.run(run.orgId, job, signal);
  const redactOutput: PieceRun['redactOutput'] = (output) => pipeline.outputs.redact(run.orgId, output);
  const attempt = (credential: Used, limitMs: number): Promise<AttemptResult> =>
    runPiece({ ...run, ...credential, send, runInWorker, redactOutput, limitMs });
  const ended = await runTwiceAtMost(pipeline, run, attempt).finally(release);
  const { isRefused, defect, version, outputJson, failure } = ended;
  if (defect) pipeline.log.error({ error: describeError(defect) }, 'a piece failed unexpectedly');
  if (isRefused && failure) await refuseConnection(pipeline, { ...run, version }, failure);
  return { outputJson, failure };
}

type Used = Pick<OpenedRun, 'credential' | 'redact'>;

/** Runs the work, and once more with a renewed credential if the provider refuses the first. `version` is that of a refused credential. */
async function runTwiceAtMost(
  pipeline: Pipeline,
  run: OpenedRun,
  attempt: (credential: Used, limitMs: number) => Promise<AttemptResult>,
): Promise<AttemptResult & { version?: string }> {
  const startedAt = performance.now();
  const limitMs = limitOf(run.work);
  const first = await attempt(run, limitMs);
  if (!first.isRefused || !run.renewable) return { ...first, version: run.version };
  const renewed = await renew(pipeline, run, run).catch((error: unknown) => {
    pipeline.log.info({ connectionId: run.connectionId, error: describeError(error) }, 'a token was not renewed');
    return undefined;
  });
  const left = limitMs - (performance.now() - startedAt);
  // Without a renewed credential the vault has already stored the problem. With one, it is not yet known whether it works.
  if (!renewed || !first.mayRepeat || left <= 0) return { ...first, isRefused: false };
  return { ...(await attempt(renewed, left)), version: renewed.version };
}
