import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { attempt, type Attempt, type AttemptResult } from './attempt.js';
import { timedOut, tooBusy } from './failures.js';
import { startExchange, type PendingExchange } from './exchange.js';
import { runAsJob, type RunInWorker } from './run-as-job.js';
import { isIsolated, limitOf } from './work.js';

/** A larger answer is parsed in a worker: on the main thread it would delay all other calls. */
const INLINE_BYTES = 64 * 1024;
/** One error for all runs: each new error would cost a stack trace. */
const ENDED = new Error('The run has ended');

export interface PieceRun extends Omit<Attempt, 'exchanges' | 'signal' | 'sendsDelayed'> {
  runInWorker: RunInWorker;
  /** Ends the run early. */
  leaving?: AbortSignal;
}

/**
 * Does the work, and ends it at its time limit. The run starts here. At its first large answer it starts again in a worker, which has the
 * answers so far, and stays there until its end. An isolated action runs in a worker from the start. Never rejects.
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
      limit.abort(ENDED); // An action that does not wait for a request sends nothing after its end.
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

/** Runs here, and from the first large answer on in a worker. */
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

/** Each caller gets a promise of its own: a shared one would keep all of its callers in memory. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
