import { QueueFullError } from '@drawbridge/turns';
import { type Attempt, type AttemptResult } from '../running/attempt.js';
import { outputTooLarge, overLimits, pieceFailed, tooBusy } from '../running/failures.js';
import { startExchange, type PendingExchange, type Exchange, mayHaveWritten } from '../running/exchange.js';
import { isIsolated, nounOf } from '../running/work.js';
import { type Replay, type ReplayResult } from './replay.js';
import { type ReplayJob } from './replay-pool.js';
import { LimitError, NotBegunError } from './replayer.js';

/** In another thread. */
export type ReplayInThread = (job: ReplayJob, signal: AbortSignal) => Promise<ReplayResult>;

interface UnfinishedRun extends Attempt {
  exchanges: PendingExchange[];
  signal: AbortSignal;
  replay: ReplayInThread;
  /** It has waited for its turn. */
  onTurn?: () => void;
}

/**
 * Ends in another thread what was begun here: that one is told what was answered so far, and what it asks next is sent from here.
 * Never rejects: what can't be read safely is not passed on.
 */
export async function continueInThread(run: UnfinishedRun): Promise<AttemptResult> {
  const { piece, work, input, credential, redact, send, exchanges, signal } = run;
  const job = { pieceName: piece.name, work, input, credential, secrets: redact.secrets };
  const allEnded = (): Promise<unknown> => Promise.all(exchanges.map(({ ended }) => ended));
  const toReplay = (): Replay => {
    run.onTurn?.();
    return { ...job, exchanges: exchanges.map(toPlain) };
  };
  try {
    for (;;) {
      await allEnded();
      const { ended, request } = await run.replay({ bytes: bytesOf(exchanges), toReplay }, signal);
      if (ended) return ended;
      exchanges.push(startExchange(send, { ...request, signal }));
    }
  } catch (error) {
    await allEnded();
    const isNotBegun = error instanceof QueueFullError || error instanceof NotBegunError;
    if (isNotBegun && exchanges.length === 0) return { failure: tooBusy() };
    if (!isIsolated(piece, work) || exchanges.length > 0)
      return { failure: outputTooLarge(unreadable(run)), defect: error };
    return error instanceof LimitError ? { failure: overLimits() } : { failure: pieceFailed(work), defect: error };
  }
}

function bytesOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((total, { answer }) => total + (answer?.body.length ?? 0), 0);
}

/** An action that asks first and writes then may not have come to the writing. */
function unreadable({ exchanges, work }: UnfinishedRun): string {
  const done = mayHaveWritten(exchanges) ? 'may have been done' : 'has changed nothing';
  return `The ${nounOf(work)} ${done}, but what it was answered is too large to be read safely`;
}

/** What can be given to another thread: of a buffer its own bytes alone, not what it was cut from. */
function toPlain({ request, answer, refusal }: Exchange): Exchange {
  return { request, answer: answer && { ...answer, body: new Uint8Array(answer.body) }, refusal };
}
