import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { continueInThread, type ReplayInThread } from '../large-answers/continue-in-thread.js';
import { attempt, type Attempt, type AttemptResult } from './attempt.js';
import { timedOut } from './failures.js';
import { startExchange, type PendingExchange } from './exchange.js';

/** A run's own limit; no caller shortens it, for from the claim on the run ends by itself. */
export const RUN_MS = 60_000;
/** Of one answer: what is larger is read in another thread, for it would keep everybody waiting. */
const INLINE_BYTES = 64 * 1024;
/** One for all: without a reason each end of a run would make an error with its stack. */
const ENDED = new Error('The action has ended');

export interface PieceRun extends Omit<Attempt, 'exchanges' | 'signal' | 'sendsDelayed'> {
  replay: ReplayInThread;
}

/**
 * Runs the action, and ends it when its time is over. Here until it is answered something large: then it is gone through again
 * in another thread, which is given what was answered so far, and no request is sent twice. Never rejects: a failure is an end.
 */
export function runPiece(run: PieceRun): Promise<AttemptResult> {
  const exchanges: PendingExchange[] = [];
  const limit = new AbortController();
  const { signal } = limit;
  const { limitMs = RUN_MS } = run;
  let isLarge = false;
  return new Promise((resolve) => {
    const end = (ended: AttemptResult): void => {
      clearTimeout(timer);
      resolve(ended);
      limit.abort(ENDED); // what an action began and did not wait for sends nothing more
    };
    const timer = setTimeout(() => end({ failure: timedOut(RUN_MS) }), limitMs);
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
    void attempt({ ...run, send, exchanges, signal, limitMs, sendsDelayed: true }).then(end);
  });
}

/** One for each: a promise holds whoever waits for it, with all that they hold. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
