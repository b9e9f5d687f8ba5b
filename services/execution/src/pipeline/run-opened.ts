import { type Egress } from '@drawbridge/egress';
import {
  type CodeRunner,
  type JsonObject,
  type Piece,
  type ProgramRunner,
  type Send,
  type State,
} from '@drawbridge/piece-kit';
import { type Approved } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { caller, currentContext, describeError, detached, withSpan } from '@drawbridge/rpc';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { ApiError, type ErrorCode } from '@drawbridge/contracts';
import { type Release, TenantLimiter } from '@drawbridge/turns';
import { type Outcome, OUTCOME_UNKNOWN } from '../run-log/outcome.js';
import { type AttemptResult } from '../running/attempt.js';
import { type PieceRun, runPiece } from '../running/run-piece.js';
import { isIsolated, isRaw, limitOf, type Work } from '../running/work.js';
import { type RunInWorker } from '../running/run-as-job.js';
import { type ClaimedRun } from './claim.js';
import { type RequireRedirect } from './gate.js';
import { open, type OpenedCredential, renew, type Used } from './connection.js';
import { type Pipeline } from './pipeline.js';
import { withSandbox } from './run-code.js';

/** Limits of an organization for runs with large responses, because each such run occupies a thread. */
const LARGE_ANSWERS = { atOnce: 4, waiting: 1_000 };

/** Runs a claimed action. Never rejects, because the run must be recorded: a failure is an outcome. */
export async function run(pipeline: Pipeline, claimed: ClaimedRun): Promise<Outcome> {
  return withSpan('run', () => runOnce(pipeline, claimed)).catch((error: unknown) => {
    pipeline.log.error({ error: describeError(error) }, 'the outcome of a run is unknown');
    return OUTCOME_UNKNOWN;
  });
}

async function runOnce(pipeline: Pipeline, claimed: ClaimedRun): Promise<Outcome> {
  const startedAt = performance.now();
  const work = {
    kind: 'action',
    actionName: claimed.request.actionName,
    runId: claimed.run.id,
    runsProgram: claimed.action.runsProgram,
  } as const;
  const state = claimed.space && pipeline.openState(claimed.space);
  const leaving = leavingOf(claimed);
  const opened = { ...claimed, orgId: claimed.who.orgId, work, state, leaving };
  const ended = await withSandbox(pipeline, claimed, (sandbox) => runOpened(pipeline, { ...opened, sandbox }));
  return { ...ended, duration: Math.round(performance.now() - startedAt) };
}

/** Returns the signal that cancels a read-only MCP tool call when the client cancels it. Other calls continue, so that their outcome is recorded. */
function leavingOf({ tool, action }: ClaimedRun): AbortSignal | undefined {
  return tool && action.effect === 'read' ? currentContext()?.signal : undefined;
}

/** The work and the credential that it runs with. */
export interface OpenedRun extends OpenedCredential {
  orgId: string;
  /** The approval of the run. */
  approval?: Approved;
  /** The request, with the workspace of the run. */
  request: { workspaceId?: string };
  piece: Piece;
  work: Work;
  input: JsonObject;
  /** The storage of an action that uses state. */
  state?: State;
  /** The sandbox of an action that runs code. */
  sandbox?: CodeRunner | ProgramRunner;
  /** The signal that cancels the run. */
  leaving?: AbortSignal;
  requireRedirect?: RequireRedirect;
}

/**
 * Runs an action, a trigger step or a lookup within the limits of its organization. Renews a credential once if the provider reports it as expired,
 * and marks the connection if the provider rejects the credential. Never rejects: a failure is an outcome.
 */
export async function runOpened(
  pipeline: Pipeline,
  run: OpenedRun,
): Promise<Pick<AttemptResult, 'outputJson' | 'failure'>> {
  const { send, release } = pipeline.senderFor(run.orgId, run.requireRedirect);
  const workers = isIsolated(run.piece, run.work) ? pipeline.processes : pipeline.threads;
  const runInWorker: RunInWorker = (job, signal) => workers.run(run.orgId, job, signal);
  const redactOutput: PieceRun['redactOutput'] = (output) => pipeline.outputs.redact(run.orgId, output);
  const attempt = (credential: RunCredential, limitMs: number): Promise<AttemptResult> =>
    runPiece({ ...run, ...credential, send, runInWorker, redactOutput, limitMs });
  const ended = await runTwiceAtMost(pipeline, run, attempt).finally(release);
  const { isRefused, defect, version, outputJson, failure } = ended;
  if (defect) pipeline.log.error({ error: describeError(defect) }, 'a piece failed unexpectedly');
  if (isRefused && failure && !isRaw(run.piece, run.work))
    await refuseConnection(pipeline, { ...run, version }, failure);
  return { outputJson, failure };
}

type RunCredential = Pick<OpenedRun, 'credential' | 'redact'>;

/** Runs the work, and again with a renewed credential if the provider rejects the first one. `version` is the version of the last credential. */
async function runTwiceAtMost(
  pipeline: Pipeline,
  run: OpenedRun,
  attempt: (credential: RunCredential, limitMs: number) => Promise<AttemptResult>,
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
  // If the renewal failed, the vault has already stored the error. A renewed credential that was not used is not known to be rejected.
  if (!renewed || !first.mayRepeat || left <= 0) return { ...first, isRefused: false };
  return { ...(await attempt(renewed, left)), version: renewed.version };
}

/** The credential that a run used, and its workspace. Fields are absent for a run without a connection. */
export interface UsedCredential {
  request: { workspaceId?: string };
  connectionId?: string;
  version?: string;
}

/** Timeout for setting a connection to status ERROR. The result of the run waits for this, so that its caller finds the new status. */
const MARK_MS = 5_000;

/**
 * Reports to the vault that the provider rejected a credential. Never rejects, because the outcome of the run does not change, and the next run
 * detects the rejection again. Continues if the caller disconnects.
 */
export async function refuseConnection(
  { vault, log }: Pipeline,
  { request: { workspaceId }, connectionId, version }: UsedCredential,
  failure: ActionFailure,
): Promise<void> {
  if (connectionId === undefined || version === undefined) return;
  const { code, message } = failure.details?.provider ?? {};
  const refusal = { code: code ?? 'unauthorized', message: message ?? failure.message };
  const request = { connectionId, workspaceId, version, ...refusal };
  await detached(() => vault.refuseConnection(request), MARK_MS).catch((error: unknown) => {
    log.error({ connectionId, error: describeError(error) }, 'a rejected credential could not be reported');
  });
}

/** Work that calls a provider but is not a run of an action: a lookup of a form or a step of a trigger. */
export interface Asked extends Used {
  connectionId?: string;
  work: Exclude<Work, { kind: 'action' }>;
  input: JsonObject;
  requireRedirect?: RequireRedirect;
  /** The error code of the exception that `runAsked` throws for a failure. */
  failed: ErrorCode;
}

/**
 * Runs a lookup or a step of a trigger and returns its redacted result. It is not recorded, and ends if the caller disconnects. Throws `failed`,
 * VALIDATION_ERROR for an input that the work cannot use, and the errors of opening a connection.
 */
export async function runAsked(pipeline: Pipeline, { connectionId, failed, ...asked }: Asked): Promise<unknown> {
  const ending = isEnding(asked.work);
  const opened = await open(pipeline, asked, connectionId, { ending });
  const leaving = currentContext()?.signal;
  const { orgId } = caller();
  const { failure, outputJson = '{}' } = await runOpened(pipeline, { ...asked, ...opened, orgId, leaving });
  if (!failure) return JSON.parse(outputJson);
  const { code, message, details } = failure;
  throw new ApiError(code === 'VALIDATION_ERROR' ? code : failed, message, { details });
}

const isEnding = (work: Asked['work']): boolean => work.kind === 'trigger' && work.step.kind === 'disable';

/** The HTTP client of one run. The memory for its large responses is reserved until the run calls `release`. */
export interface Sender {
  send: Send;
  release(): void;
}

/**
 * Creates HTTP clients of runs. They limit the requests of an organization (in egress) and the number of large responses that this process buffers
 * for it. Further responses are not read until capacity is free, within the timeout of the request.
 */
export function senders(egress: Egress): Pipeline['senderFor'] {
  const turns = new TenantLimiter(LARGE_ANSWERS);
  return (orgId, requireRedirect) => {
    const send = egress.sendFor(orgId);
    let room: Promise<Release> | undefined;
    const makeRoom = async (signal: AbortSignal): Promise<void> => {
      await (room ??= turns.acquire(orgId, signal));
    };
    return {
      send: (request) => send({ ...request, makeRoom, requireRedirect }),
      release: () => void room?.then((end) => end()).catch(() => undefined),
    };
  };
}
