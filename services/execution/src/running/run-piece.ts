import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { continueInThread, type ReplayInThread } from '../large-answers/continue-in-thread.js';
import { attempt, type Attempt, type AttemptResult } from './attempt.js';
import { timedOut, tooBusy } from './failures.js';
import { startExchange, type PendingExchange } from './exchange.js';
import { isIsolated, limitOf } from './work.js';

/** Of one answer: what is larger is read in another thread, for it would keep everybody waiting. */
const INLINE_BYTES = 64 * 1024;
/** One for all: without a reason each end of a run would make an error with its stack. */
const ENDED = new Error('The run has ended');

export interface PieceRun extends Omit<Attempt, 'exchanges' | 'signal' | 'sendsDelayed'> {
  replay: ReplayInThread;
  /** Ends it early. */
  leaving?: AbortSignal;
}

/**
 * Does the work, and ends it when its time is over. Here until it is answered something large: then it is gone through again
 * in another thread, which is given what was answered so far, and no request is sent twice; an isolated action is run elsewhere
 * from the start. Never rejects: a failure is an end.
 */
export function runPiece(run: PieceRun): Promise<AttemptResult> {
  const exchanges: PendingExchange[] = [];
  const limit = new AbortController();
  const { signal } = limit;
  const { limitMs = limitOf(run.work) } = run;
  let isLarge = false;
  let hasBegun = !isIsolated(run.piece, run.work);
  return new Promise((resolve) => {
    const end = (ended: AttemptResult): void => {
      clearTimeout(timer);
      run.leaving?.removeEventListener('abort', leave);
      resolve(ended);
      limit.abort(ENDED); // what an action began and did not wait for sends nothing more
    };
    const leave = (): void => end({ failure: hasBegun ? timedOut(run.work) : tooBusy() });
    const timer = setTimeout(leave, limitMs);
    run.leaving?.addEventListener('abort', leave, { once: true });
    if (run.leaving?.aborted) return leave();
    const send = async (request: SendRequest): Promise<Answer> => {
      if (isLarge) return never();
      const exchange = startExchange(run.send, request);
      exchanges.push(exchange);
      await exchange.ended;
      const { answer, error } = exchange;
      if (!isLarge && answer && answer.body.length > INLINE_BYTES) {
        isLarge = true;
        void continueInThread({ ...run, exchanges, signal }).then(end);
      }
      if (isLarge) return never();
      if (!answer) throw error;
      return answer;
    };
    const onTurn = (): void => void (hasBegun = true);
    if (!hasBegun) return void continueInThread({ ...run, exchanges, signal, onTurn }).then(end);
    void attempt({ ...run, send, exchanges, signal, limitMs, sendsDelayed: true }).then(end);
  });
}

/** One for each: a promise holds whoever waits for it, with all that they hold. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
