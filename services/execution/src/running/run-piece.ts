import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type Attempt, type Attempted } from './attempt.js';
import { attemptAnywhere } from '../large-answers/attempt-anywhere.js';
import { timedOut } from './failures.js';
import { type Outcome } from '../run-log/outcome.js';
import { type Replayed } from '../large-answers/replay.js';
import { type Job, type Replays } from '../large-answers/replays.js';

/** A run's own limit; no caller shortens it, for from the claim on the run ends by itself. */
const RUN_MS = 60_000;

export interface PieceRun extends Omit<Attempt, 'signal'> {
  orgId: string;
  replays: Replays;
  /** Awaited where the provider refused the credential. */
  onRefused(failure: ActionFailure): Promise<void>;
  log: Logger;
}

/** Runs the action, and ends it when its time is over. Never rejects: a failure is an outcome. */
export async function runPiece({ orgId, replays, onRefused, log, ...run }: PieceRun): Promise<Outcome> {
  const startedAt = performance.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), RUN_MS);
  const { signal } = limit;
  const replay = (job: Job): Promise<Replayed> => replays.replay(orgId, job, signal);
  const ended = await Promise.race([attemptAnywhere({ ...run, signal, replay }), timeUp(signal)]);
  clearTimeout(timer);
  const { isRefused, defect, ...result } = ended;
  const outcome = { ...result, duration: Math.round(performance.now() - startedAt) };
  if (defect) log.error({ error: describeError(defect) }, 'a piece failed unexpectedly');
  if (isRefused && outcome.failure) await onRefused(outcome.failure);
  return outcome;
}

function timeUp(signal: AbortSignal): Promise<Attempted> {
  const failure = timedOut(RUN_MS);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ failure }), { once: true }));
}
