import { type Attempt, type Attempted } from '../running/attempt.js';
import { tooLarge } from '../running/failures.js';
import { ask, type Asked, type Heard, mayHaveWritten } from '../running/heard.js';
import { type Replay, type Replayed } from './replay.js';
import { type Job } from './replays.js';

/** In another thread. */
export type ReplayElsewhere = (job: Job, signal: AbortSignal) => Promise<Replayed>;

interface Unfinished extends Attempt {
  heard: Asked[];
  signal: AbortSignal;
  replay: ReplayElsewhere;
}

/**
 * Ends in another thread what was begun here: that one is told what was heard so far, and what it asks next is sent from here.
 * Never rejects: what can't be read safely is not passed on.
 */
export async function goOn(run: Unfinished): Promise<Attempted> {
  const { piece, actionName, input, credential, redact, send, heard, signal } = run;
  const job = { pieceName: piece.name, actionName, input, credential, secrets: redact.secrets };
  const allHeard = (): Promise<unknown> => Promise.all(heard.map(({ ended }) => ended));
  const toReplay = (): Replay => ({ ...job, heard: heard.map(toPlain) });
  try {
    for (;;) {
      await allHeard();
      const { ended, request } = await run.replay({ bytes: bytesOf(heard), toReplay }, signal);
      if (ended) return ended;
      heard.push(ask(send, { ...request, signal }));
    }
  } catch (error) {
    await allHeard();
    return { failure: tooLarge(unreadable(heard)), defect: error };
  }
}

function bytesOf(heard: readonly Heard[]): number {
  return heard.reduce((total, { answer }) => total + (answer?.body.length ?? 0), 0);
}

/** An action that asks first and writes then may not have come to the writing. */
function unreadable(heard: readonly Heard[]): string {
  const done = mayHaveWritten(heard) ? 'The action may have been done' : 'The action has changed nothing';
  return `${done}, but what it was answered is too large to be read safely`;
}

/** What can be given to another thread: of a buffer its own bytes alone, not what it was cut from. */
function toPlain({ asked, answer, refusal }: Heard): Heard {
  return { asked, answer: answer && { ...answer, body: new Uint8Array(answer.body) }, refusal };
}
