import { describeError, isOutage, type Logger } from '@drawbridge/rpc';
import { JobFailure } from './job-failure.js';
import { retryDelay } from './retry-delay.js';
import { type Target } from './organization-slots.js';

/** Delay after an outage of a Drawbridge service. The attempt does not count. */
const OUTAGE_MS = 5_000;
/** Maximum delay that a task can request. PostgreSQL rejects times that are not finite or too late. */
const LONGEST_MS = 24 * 60 * 60 * 1_000;

/** The outcome of an attempt: the job is done, runs again after a delay, or is dead. */
export interface Outcome {
  fate: 'done' | 'again' | 'dead';
  delayMs: number;
  /** False if the attempt does not count toward the maximum, for example during an outage. */
  isSpent: boolean;
  /** The message that is stored with the job. It must not contain a secret. */
  error: string | null;
}

/** The context of a job, which its task receives. */
export interface JobContext {
  /** The number of this attempt, from 1. It was stored before the attempt began. */
  attempt: number;
  /** Aborts when the lease is lost: another process may run the job. */
  signal: AbortSignal;
  /** Reports the duration of a call to the target of the job to the circuit breaker. */
  noteTarget(call: { tookMs: number; hasFailed: boolean }): void;
}

export interface ClaimedJob extends Target {
  id: string;
  task: string;
  key: string;
  payload: string | null;
  attempts: number;
  lease: string;
  /** The start of the lease, by performance.now(). */
  leasedAt: number;
}

interface Attempt {
  task: string;
  attempt: number;
  log: Logger;
}

/** Runs one attempt of a job. Never rejects: after a failure it returns the delay of the next attempt, or that the job is dead. */
export async function runAttempt({ task, attempt, log }: Attempt, run: () => Promise<unknown>): Promise<Outcome> {
  try {
    await run();
    return { fate: 'done', delayMs: 0, isSpent: true, error: null };
  } catch (error) {
    const outcome = afterFailure(attempt, error);
    const line = { call: task, attempt, error: describeError(error) };
    const message = outcome.fate === 'dead' ? 'a job is dead' : 'a job failed';
    log[error instanceof JobFailure ? 'info' : 'warn'](line, message);
    return outcome;
  }
}

function afterFailure(attempt: number, error: unknown): Outcome {
  const text = describe(error);
  if (isOutage(error)) return { fate: 'again', delayMs: OUTAGE_MS, isSpent: false, error: text };
  const { retryAfterMs, isFinal } = error instanceof JobFailure ? error : { retryAfterMs: 0, isFinal: false };
  const delayMs = isFinal ? undefined : retryDelay(attempt + 1);
  if (delayMs === undefined) return { fate: 'dead', delayMs: 0, isSpent: true, error: text };
  return {
    fate: 'again',
    delayMs: Math.max(delayMs, Math.min(retryAfterMs || 0, LONGEST_MS)),
    isSpent: true,
    error: text,
  };
}

/** Describes an error for storage. The message of an unexpected error may contain a secret, so only its name and code are used. */
function describe(error: unknown): string {
  if (error instanceof JobFailure) return error.message;
  const { name, code } = describeError(error);
  return code === undefined ? name : `${name} ${code}`;
}
