import { EgressError } from '@drawbridge/egress/egress-error';
import { type Answer, type Credential, type JsonObject, type SendRequest } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { redactor } from '../redaction/redactor.js';
import { attempt, type AttemptResult, type Exchange, identityOf, type RequestIdentity } from '../running/attempt.js';
import { type Work } from '../running/work.js';

/** A run as plain data: everything that a worker needs to run it from the start. */
export interface Job {
  pieceName: string;
  work: Work;
  input: JsonObject;
  credential?: Credential;
  secrets: readonly string[];
  /**
   * The requests that the run sent before it moved to the worker, in the order of their starts. The worker replays their results, so that no request
   * is sent twice.
   */
  sent: SentRequest[];
}

/** The result of a request. If both fields are absent, the result is unknown. */
export type Reply = Pick<Exchange, 'refusal'> & { answer?: Answer };
export type SentRequest = Pick<Exchange, 'request'> & Reply & { startedAs: number; endedAs: number };

export type Message = { job: Job } | { replyTo: number; reply: Reply };
/** The worker returns `turn` when it has completed all work that the message caused. */
export type ToWorker = Message & { turn: number };
export type FromWorker = { turnEnded: number } | { request: SendRequest; id: number } | { result: AttemptResult };

/** The `turn` with which a worker reports that it has loaded its code. */
export const READY = 0;

/**
 * Time in milliseconds without a repeated request after which a restarted run counts as different from the first run. A deterministic action repeats
 * its requests almost immediately.
 */
const REPEAT_MS = 1_000;

/** Thrown if a restarted run sends other requests than the first run. A different request could repeat a change that was already made. */
class OtherRequestError extends Error {
  override readonly name = 'OtherRequestError';
}

/** Returns the handler of a worker's messages. It runs one job at a time and posts each request of the job as a message. */
export function jobRunner(post: (message: FromWorker) => void): (message: ToWorker) => void {
  let current: RunningJob | undefined;

  const endTurn = (turn: number): void => {
    if (current?.isRepeating()) setImmediate(endTurn, turn);
    else post({ turnEnded: turn });
  };
  return (message) => {
    if ('job' in message) (current = new RunningJob(message.job.sent, post)).run(message.job);
    else current?.receive(message.replyTo, message.reply);
    setImmediate(endTurn, message.turn); // Runs after the callbacks of all promises that the message resolved.
  };
}

type Settle = (reply: Reply) => void;

/** A request that the run did not send before its restart. It is sent after the run has repeated all earlier requests. */
interface NewRequest {
  send(): void;
  reject(error: Error): void;
}

class RunningJob {
  private readonly exchanges: Exchange[] = [];
  private readonly waiting = new Map<number, Settle>();
  private readonly repeated = new Map<SentRequest, Settle>();
  private newRequests: NewRequest[] = [];
  private requests = 0;
  private hasEnded = false;

  /** `left` contains the requests that the run has not repeated yet. */
  constructor(
    private left: readonly SentRequest[],
    private readonly post: (message: FromWorker) => void,
  ) {}

  run({ pieceName, secrets, sent: _, ...job }: Job): void {
    const piece = findPiece(pieceName);
    if (!piece) throw new Error(`The worker does not have the piece ${pieceName}`);
    const { exchanges, send } = this;
    void attempt({ ...job, piece, redact: redactor(secrets), exchanges, send, sendsDelayed: true }).then((result) => {
      this.hasEnded = true;
      this.post({ result: withoutMessage(result) });
    });
  }

  receive(id: number, reply: Reply): void {
    this.waiting.get(id)?.(reply);
    this.waiting.delete(id);
  }

  isRepeating(): boolean {
    return this.repeated.size > 0;
  }

  private readonly send = ({ signal: _, ...request }: SendRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (this.hasEnded) return; // An action that did not await its requests must not send more of them after its end.
      const exchange: Exchange = { request: identityOf(request) };
      this.exchanges.push(exchange);
      const settle = ({ answer, refusal }: Reply): void => {
        exchange.refusal = refusal;
        if (!answer) return reject(toError(refusal));
        const { body: _, ...rest } = answer; // Drops the body, so that the body of a page does not stay in memory while the next page is read.
        exchange.answer = rest;
        resolve(answer);
      };
      const known = sameRequest(exchange.request, this.left);
      if (known) return this.repeat(known, settle);
      this.newRequests.push({ send: () => this.post({ request, id: this.wait(settle) }), reject });
      if (this.left.length === 0) this.sendNew();
      else this.refuseLater(this.left.length);
    });

  /**
   * Replays the result of a request. Delivers results one at a time in their original order, so that concurrent requests of the action are repeated
   * in that order.
   */
  private repeat(known: SentRequest, settle: Settle): void {
    this.left = this.left.filter((one) => one !== known);
    this.repeated.set(known, settle);
    setImmediate(() => {
      const [next, settleNext] = [...this.repeated].reduce((a, b) => (b[0].endedAs < a[0].endedAs ? b : a));
      this.repeated.delete(next);
      settleNext(next);
      if (this.left.length === 0) this.sendNew();
    });
  }

  private sendNew(): void {
    for (const { send } of this.newRequests.splice(0)) send();
  }

  private refuseLater(left: number): void {
    setTimeout(() => {
      if (this.left.length < left) return this.newRequests.length > 0 ? this.refuseLater(this.left.length) : undefined;
      const error = new OtherRequestError('The action sent other requests when it was started again in a worker');
      for (const { reject } of this.newRequests.splice(0)) reject(error);
    }, REPEAT_MS);
  }

  private wait(settle: Settle): number {
    this.requests += 1;
    this.waiting.set(this.requests, settle);
    return this.requests;
  }
}

/**
 * Returns the earlier request that this request repeats: the first one to the same URL, because a body can contain a new id or time. If several
 * requests to one URL were active at the same time, compares their bodies.
 */
function sameRequest({ method, url, body }: RequestIdentity, sent: readonly SentRequest[]): SentRequest | undefined {
  const alike = sent.filter(({ request }) => request.method === method && request.url === url);
  const [first, ...others] = alike;
  const isAmbiguous = others.some(({ startedAs }) => startedAs < first!.endedAs);
  return isAmbiguous ? alike.find(({ request }) => request.body === body) : first;
}

function toError(refusal: Reply['refusal']): Error {
  if (!refusal) return new Error('The result of a request is not known');
  return new EgressError(refusal.code, refusal.reason, refusal.host, refusal.sent);
}

/** Removes the message of an unexpected error, because the message may quote confidential data. The name and the stack frames are logged. */
function withoutMessage(result: AttemptResult): AttemptResult {
  if (!(result.defect instanceof Error)) return result;
  const { name, stack } = result.defect;
  const message = result.defect instanceof OtherRequestError ? result.defect.message : '';
  return { ...result, defect: Object.assign(new Error(message), { name, stack }) };
}
