import { EgressError } from '@drawbridge/egress';
import { type Answer, type SendRequest } from '@drawbridge/piece-kit';
import { attempt, type Attempt, type Attempted } from '../running/attempt.js';
import { tooLarge } from '../running/failures.js';
import { type Heard, type Replay, type Replayed } from './replay.js';
import { type Job } from './replays.js';
import { isSafe } from '../running/writes.js';

/** Of one answer: what is larger is read in another thread, for it would keep everybody waiting. */
const INLINE_BYTES = 64 * 1024;
const NEVER = new Promise<never>(() => undefined);

export interface Anywhere extends Attempt {
  signal: AbortSignal;
  /** In another thread. */
  replay(job: Job): Promise<Replayed>;
}

/**
 * Runs the action here until it is answered something large. Then it is gone through again in another thread, which is given
 * what was answered so far: no request is sent twice.
 */
export async function attemptAnywhere(run: Anywhere): Promise<Attempted> {
  const heard: Promise<Listened>[] = [];
  let isLarge = false;
  let handOver = (): void => undefined;
  const handedOver = new Promise<void>((resolve) => (handOver = resolve));

  const send = async (request: SendRequest): Promise<Answer> => {
    if (isLarge) return NEVER;
    const asking = listen(run, request);
    heard.push(asking);
    const { answer, error } = await asking;
    isLarge ||= answer !== undefined && answer.body.length > INLINE_BYTES;
    if (isLarge) handOver();
    if (isLarge) return NEVER;
    if (!answer) throw error;
    return answer;
  };
  return Promise.race([attempt({ ...run, send }), handedOver.then(() => goOn(run, heard))]);
}

/** Never rejects: what can't be read safely is not passed on. */
async function goOn(run: Anywhere, heard: Promise<Listened>[]): Promise<Attempted> {
  const { piece, actionName, input, credential, redact } = run;
  try {
    for (;;) {
      const all = await Promise.all(heard);
      const job = { pieceName: piece.name, actionName, input, credential, secrets: redact.secrets };
      const toReplay = (): Replay => ({ ...job, heard: all.map(toPlain) });
      const { ended, request } = await run.replay({ bytes: bytesOf(all), toReplay });
      if (ended) return ended;
      heard.push(listen(run, { ...request, signal: run.signal }));
    }
  } catch (error) {
    return { failure: tooLarge(unreadable(await Promise.all(heard))), defect: error };
  }
}

function bytesOf(heard: readonly Heard[]): number {
  return heard.reduce((total, { answer }) => total + (answer?.body.length ?? 0), 0);
}

/** An action that asks first and writes then may not have come to the writing. */
function unreadable(heard: Listened[]): string {
  const mayHaveWritten = heard.some(({ asked, refusal }) => !isSafe(asked.method) && refusal?.sent !== false);
  const done = mayHaveWritten ? 'The action may have been done' : 'The action has changed nothing';
  return `${done}, but what it was answered is too large to be read safely`;
}

type Listened = Heard & { error?: unknown };

async function listen({ send }: Anywhere, request: SendRequest): Promise<Listened> {
  const { method, url } = request;
  try {
    return { asked: { method, url }, answer: await send(request) };
  } catch (error) {
    if (!(error instanceof EgressError)) return { asked: { method, url }, error };
    const { code, reason, host, sent } = error;
    return { asked: { method, url }, refusal: { code, reason, host, sent }, error };
  }
}

/** What can be given to another thread: of a buffer its own bytes alone, not what it was cut from. */
function toPlain({ asked, answer, refusal }: Listened): Heard {
  return { asked, answer: answer && { ...answer, body: new Uint8Array(answer.body) }, refusal };
}
