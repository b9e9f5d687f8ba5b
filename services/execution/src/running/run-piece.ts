import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { type Attempt, attempt, type AttemptResult, type PendingExchange, startExchange } from './attempt.js';
import { timedOut, tooBusy } from './failures.js';
import { runAsJob, type RunInWorker } from './run-as-job.js';
import { isIsolated, limitOf } from './work.js';

/** Maximum size of a response that is parsed on the main thread. A larger response would delay all other requests, so a worker parses it. */
const INLINE_BYTES = 64 * 1024;
/** The reason with which all runs abort their requests. It is shared, because each new error captures a stack trace. */
const ENDED = new Error('The run has ended');

export interface PieceRun extends Omit<Attempt, 'exchanges' | 'signal' | 'sendsDelayed'> {
  runInWorker: RunInWorker;
  /** The signal that ends the run before its time limit. */
  leaving?: AbortSignal;
}

/**
 * Runs the work and ends it at its time limit. The run starts on the main thread. At its first large response, the run restarts in a worker, which
 * receives the responses so far, and stays there until it ends. An isolated action runs in a worker from its start. Never rejects.
 */
export function runPiece(run: PieceRun): Promise<AttemptResult> {
  const limit = new AbortController();
  const { limitMs = limitOf(run.work) } = run;
  let hasBegun = !isIsolated(run.piece, run.work);
  const onBegin = (): void => void (hasBegun = true);
  return new Promise((resolve) => {
    const end = (ended: AttemptResult): void => {
      clearTimeout(timer);
      run.leaving?.removeEventListener('abort', leave);
      resolve(ended);
      limit.abort(ENDED); // An action that did not await its requests must not send more of them after its end.
    };
    const leave = (): void => end({ failure: hasBegun ? timedOut(run.work) : tooBusy() });
    const timer = setTimeout(leave, limitMs);
    run.leaving?.addEventListener('abort', leave, { once: true });
    if (run.leaving?.aborted) return leave();
    const limited = { ...run, signal: limit.signal, limitMs, onBegin };
    void (hasBegun ? runUntilLarge(limited) : runAsJob({ ...limited, exchanges: [] })).then(end);
  });
}

type LimitedRun = PieceRun & { signal: AbortSignal; onBegin(): void };

/** Runs on the main thread until the first large response, and then restarts in a worker. */
function runUntilLarge(run: LimitedRun): Promise<AttemptResult> {
  const exchanges: PendingExchange[] = [];
  let hasMoved = false;
  return new Promise((resolve) => {
    const send = async (request: SendRequest): Promise<Answer> => {
      if (hasMoved) return never();
      const exchange = startExchange(run.send, request, exchanges);
      await exchange.ended;
      const { answer, error } = exchange;
      if (!hasMoved && answer && answer.body.length > INLINE_BYTES) {
        hasMoved = true;
        void runAsJob({ ...run, exchanges }).then(resolve);
      }
      if (hasMoved) return never();
      if (!answer) throw error;
      return answer;
    };
    void attempt({ ...run, send, exchanges, sendsDelayed: true }).then((result) => {
      if (!hasMoved) resolve(result);
    });
  });
}

/** Returns a promise that never settles. Creates one for each call, because a shared promise would retain all of its callers in memory. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
