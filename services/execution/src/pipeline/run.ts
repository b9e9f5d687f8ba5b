import { type Egress } from '@drawbridge/egress';
import { type Send } from '@drawbridge/piece-kit';
import { describeError, withSpan } from '@drawbridge/rpc';
import { type Release, TenantLimiter } from '@drawbridge/turns';
import { type ReplayInThread } from '../large-answers/continue-in-thread.js';
import { type Outcome, OUTCOME_UNKNOWN } from '../run-log/outcome.js';
import { type AttemptResult } from '../running/attempt.js';
import { refuseConnection } from '../running/refuse-connection.js';
import { RUN_MS, runPiece } from '../running/run-piece.js';
import { type ClaimedRun } from './claim.js';
import { renew } from './open.js';
import { type Pipeline } from './pipeline.js';

/** Of one organization: each is held several times while it is read, by this process and by the thread that reads it. */
const LARGE_ANSWERS = { atOnce: 4, waiting: 1_000 };

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
  const attempt = (credential: Used, limitMs: number): Promise<AttemptResult> =>
    runPiece({ ...claimed, ...credential, actionName, send, replay, limitMs });
  const ended = await runTwiceAtMost(pipeline, claimed, attempt).finally(release);
  const { isRefused, defect, version, mayRepeat: _repeated, ...result } = ended;
  const duration = Math.round(performance.now() - startedAt);
  if (defect) pipeline.log.error({ error: describeError(defect) }, 'a piece failed unexpectedly');
  if (isRefused && result.failure) await refuseConnection(pipeline, { ...claimed, version }, result.failure);
  return { ...result, duration };
}

type Used = Pick<ClaimedRun, 'credential' | 'redact'>;

/** `version`: of the credential that was used last, where its refusal says something about the connection. */
async function runTwiceAtMost(
  pipeline: Pipeline,
  claimed: ClaimedRun,
  attempt: (credential: Used, limitMs: number) => Promise<AttemptResult>,
): Promise<AttemptResult & { version?: string }> {
  const startedAt = performance.now();
  const first = await attempt(claimed, RUN_MS);
  if (!first.isRefused || !claimed.renewable) return { ...first, version: claimed.version };
  const renewed = await renew(pipeline, claimed, claimed).catch((error: unknown) => {
    pipeline.log.info({ connectionId: claimed.connectionId, error: describeError(error) }, 'a token was not renewed');
    return undefined;
  });
  const left = RUN_MS - (performance.now() - startedAt);
  // Without another one the vault has said in the row what is wrong; with one, whether it is good is not known yet.
  if (!renewed || !first.mayRepeat || left <= 0) return { ...first, isRefused: false };
  return { ...(await attempt(renewed, left)), version: renewed.version };
}

/** How one run sends. Its large answers take room until it has ended. */
export interface Sender {
  send: Send;
  release(): void;
}

/**
 * Bounds what an organization sends (egress does) and how many large answers a process holds of what it hears: the rest
 * stays with its provider until there is room, within the time of the request.
 */
export function senders(egress: Egress): (orgId: string) => Sender {
  const turns = new TenantLimiter(LARGE_ANSWERS);
  return (orgId) => {
    const send = egress.sendFor(orgId);
    let room: Promise<Release> | undefined;
    const makeRoom = async (signal: AbortSignal): Promise<void> => {
      await (room ??= turns.acquire(orgId, signal));
    };
    return {
      send: (request) => send({ ...request, makeRoom }),
      release: () => void room?.then((end) => end()).catch(() => undefined),
    };
  };
}
