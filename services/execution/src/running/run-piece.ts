import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { goOn, type ReplayElsewhere } from '../large-answers/go-on.js';
import { attempt, type Attempt, type Attempted } from './attempt.js';
import { timedOut } from './failures.js';
import { ask, type Asked } from './heard.js';

/** A run's own limit; no caller shortens it, for from the claim on the run ends by itself. */
const RUN_MS = 60_000;
/** Of one answer: what is larger is read in another thread, for it would keep everybody waiting. */
const INLINE_BYTES = 64 * 1024;

export interface PieceRun extends Omit<Attempt, 'heard' | 'signal'> {
  replay: ReplayElsewhere;
}

/**
 * Runs the action, and ends it when its time is over. Here until it is answered something large: then it is gone through again
 * in another thread, which is given what was answered so far, and no request is sent twice. Never rejects: a failure is an end.
 */
export function runPiece(run: PieceRun): Promise<Attempted> {
  const heard: Asked[] = [];
  const limit = new AbortController();
  const { signal } = limit;
  let isLarge = false;
  return new Promise((resolve) => {
    const end = (ended: Attempted): void => {
      clearTimeout(timer);
      resolve(ended);
      limit.abort(); // what an action began and did not wait for sends nothing more
    };
    const timer = setTimeout(() => end({ failure: timedOut(RUN_MS) }), RUN_MS);
    const send = async (request: SendRequest): Promise<Answer> => {
      if (isLarge) return never();
      const asked = ask(run.send, request);
      heard.push(asked);
      await asked.ended;
      const { answer, error } = asked;
      if (!isLarge && answer && answer.body.length > INLINE_BYTES) {
        isLarge = true;
        void goOn({ ...run, heard, signal }).then(end);
      }
      if (isLarge) return never();
      if (!answer) throw error;
      return answer;
    };
    void attempt({ ...run, send, heard, signal }).then(end);
  });
}

/** One for each: a promise holds whoever waits for it, with all that they hold. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
