import { QueueFullError } from '@drawbridge/turns';
import { type SendRequest } from '@drawbridge/piece-kit';
import { NotBegunError } from '../workers/worker-slots.js';
import { type Job, type Reply, type SentRequest } from '../workers/job.js';
import { type JobPool, SUSPENDED, type WorkerRun } from '../workers/job-pool.js';
import { LimitError } from '../workers/worker.js';
import { type Attempt, type AttemptResult, mayHaveWritten, type PendingExchange, startExchange } from './attempt.js';
import { outputTooLarge, overLimits, pieceFailed, tooBusy } from './failures.js';
import { isIsolated, nounOf } from './work.js';

export type RunInWorker = (run: WorkerRun, signal: AbortSignal) => ReturnType<JobPool['run']>;

interface UnfinishedRun extends Attempt {
  /** The requests that the run has sent. The list grows during the run. */
  exchanges: PendingExchange[];
  signal: AbortSignal;
  runInWorker: RunInWorker;
  /** Called when a worker starts the run. */
  onBegin(): void;
}

/**
 * Maximum size of the responses of one run that are stored for a restart. A run with larger responses does not release its worker while it waits for
 * the provider, because it could not be restarted without the responses.
 */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;
const NOTHING = new Uint8Array();

/**
 * Runs work in a worker, from its start. The worker receives the responses of the requests that were already sent, and the main thread sends all
 * further requests. Never rejects. If a response is too large to be read safely, returns a failure.
 */
export async function runAsJob(run: UnfinishedRun): Promise<AttemptResult> {
  const { piece, work, exchanges, signal } = run;
  let kept = 0;
  /** True once the run may have to leave its worker. All responses are then stored for the restart, no matter how large they are. */
  let isSuspended = false;
  const keepsAnswers = (): boolean => isSuspended || kept <= MAX_KEPT_BYTES;
  const send = async (request: SendRequest): Promise<Reply> => {
    const exchange = startExchange(run.send, { ...request, signal }, exchanges);
    await exchange.ended;
    const reply = replyOf(exchange);
    kept += reply.answer?.body.length ?? 0;
    if (!keepsAnswers()) forgetBodies(exchanges);
    return reply;
  };
  try {
    for (;;) {
      await Promise.all(exchanges.map(({ ended }) => ended));
      kept = bytesOf(exchanges);
      isSuspended = false;
      const job = {
        bytes: kept,
        begin: () => beginJob(run),
        send,
        canRestart: () => (isSuspended = keepsAnswers()),
      };
      const result = await run.runInWorker(job, signal);
      if (result !== SUSPENDED) return result;
    }
  } catch (error) {
    await Promise.all(exchanges.map(({ ended }) => ended)); // The failure states whether these requests may have changed data.
    const isNotBegun = error instanceof QueueFullError || error instanceof NotBegunError;
    if (isNotBegun && exchanges.length === 0) return { failure: tooBusy() };
    if (!isIsolated(piece, work) || exchanges.length > 0)
      return { failure: outputTooLarge(unreadable(run)), defect: error };
    return error instanceof LimitError ? { failure: overLimits() } : { failure: pieceFailed(work), defect: error };
  }
}

function beginJob({ piece, work, input, credential, redact, exchanges, onBegin }: UnfinishedRun): Job {
  onBegin();
  const sent = exchanges.map((exchange): SentRequest => {
    const { request, startedAs, endedAs } = exchange;
    return { request, startedAs, endedAs: endedAs!, ...replyOf(exchange) };
  });
  return { pieceName: piece.name, work, input, credential, secrets: redact.secrets, sent };
}

/**
 * Returns the result of a request for a worker. Copies the body, because a buffer that moves to another thread may share its memory with other
 * buffers.
 */
function replyOf({ answer, refusal }: PendingExchange): Reply {
  return { answer: answer && { ...answer, body: new Uint8Array(answer.body) }, refusal };
}

function forgetBodies(exchanges: readonly PendingExchange[]): void {
  for (const exchange of exchanges) {
    if (exchange.answer) exchange.answer = { ...exchange.answer, body: NOTHING };
  }
}

function bytesOf(exchanges: readonly PendingExchange[]): number {
  return exchanges.reduce((sum, { answer }) => sum + (answer?.body.length ?? 0), 0);
}

/** Returns the error message for a response that is too large. An action that reads first may have failed before its first write. */
function unreadable({ exchanges, work }: UnfinishedRun): string {
  const done = mayHaveWritten(exchanges) ? 'may have been executed' : 'has changed nothing';
  return `The ${nounOf(work)} ${done}, but a response of the provider is too large to be read safely`;
}
