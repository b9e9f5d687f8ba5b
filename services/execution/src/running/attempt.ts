import { hash } from 'node:crypto';
import { nestsDeeper } from '@drawbridge/contracts';
import { type EgressCode, EgressError } from '@drawbridge/egress/egress-error'; // A worker imports only the error, not the HTTP client.
import {
  type Answer,
  type CodeRunner,
  type Credential,
  delayed,
  isCredentialRefused,
  isRateLimit,
  type JsonObject,
  type Piece,
  type ProgramRunner,
  ProviderError,
  type Send,
  type SendRequest,
  type State,
  stringifyOutput,
} from '@drawbridge/piece-kit';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { QueueFullError, WorkerLimitError } from '@drawbridge/turns';
import { type RedactedOutput, type Redactor, redactor } from '../redaction/redactor.js';
import { outputTooLarge, pieceFailed, secretInOutput, toFailure } from './failures.js';
import { doWork, isRepeatable, nounOf, type Work } from './work.js';

/** Limits of a serialized output, below the limits of an RPC message and of common JSON parsers. */
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
export const MAX_OUTPUT_LEVELS = 64;

export interface Attempt {
  piece: Piece;
  work: Work;
  input: JsonObject;
  credential?: Credential;
  /** The storage of an action that uses state. */
  state?: State;
  /** The sandbox of an action that runs code. */
  sandbox?: CodeRunner | ProgramRunner;
  /** Removes the credential from outputs and failures. */
  redact: Redactor;
  /** Redacts an output without blocking the main thread. Absent in a worker, which redacts its outputs itself. */
  redactOutput?: (output: { json: string; redact: Redactor; signal?: AbortSignal }) => Promise<RedactedOutput>;
  send: Send;
  /** The requests that the run has sent. The list grows during the run. */
  exchanges: readonly Exchange[];
  signal?: AbortSignal;
  /** The remaining time of the run, in milliseconds. */
  limitMs?: number;
  /** True if `send` itself waits before a request that is sent with a delay. */
  sendsDelayed?: boolean;
}

export interface AttemptResult {
  outputJson?: string;
  failure?: ActionFailure;
  /** True if the provider rejected the credential. */
  isRefused?: boolean;
  /** True if the work can run again with a renewed credential, because no request before the rejected one can have changed data. */
  mayRepeat?: boolean;
  /** An unexpected error of the piece, which is written to the log. */
  defect?: unknown;
}

/** Runs the work and returns its redacted outcome. Never rejects: a failure is an outcome. */
export async function attempt(run: Attempt): Promise<AttemptResult> {
  const { piece, work, exchanges } = run;
  try {
    return await toBounded(await doWork(piece, work, run), run);
  } catch (error) {
    const mayRepeatAfter = (sent: typeof exchanges): boolean => isRepeatable(piece, work) || !mayHaveWritten(sent);
    const redact = failureRedactor(run);
    const failure = toFailure(error, { piece, redact, isRepeatable: mayRepeatAfter(exchanges) });
    const isRefused = error instanceof ProviderError && isCredentialRefused(piece, error);
    const mayRepeat = isRefused && mayRepeatAfter(exchanges.slice(0, -1));
    return failure ? { failure, isRefused, mayRepeat } : { failure: pieceFailed(work), defect: error };
  }
}

/**
 * Returns the redactor for failures. It also removes the secret of a subscription of a trigger, because providers quote the address or the secret
 * that they reject. That secret is not removed from outputs, because the result of a registration may need it.
 */
function failureRedactor({ work, redact }: Attempt): Redactor {
  const secret = work.kind === 'trigger' && 'secret' in work.step ? work.step.secret : '';
  return secret === '' ? redact : redactor([...redact.secrets, secret]);
}

/**
 * Serializes, redacts and measures the output. Serializes it only once, because the limits apply to the JSON and secrets can occur anywhere in it.
 */
async function toBounded(output: object, run: Attempt): Promise<AttemptResult> {
  const { work } = run;
  const json = toJson(output);
  if (json === undefined || !isWithinBounds(json)) return { failure: tooLarge(work) };
  const redacted = await redactedOutput(json, run);
  if (!redacted) return { failure: notRedacted(work) };
  if ('secretIn' in redacted) return { failure: secretInOutput(work, redacted.secretIn) };
  const isChanged = redacted.json !== json;
  return isChanged && !isWithinBounds(redacted.json) ? { failure: tooLarge(work) } : { outputJson: redacted.json };
}

export function isWithinBounds(json: string): boolean {
  return Buffer.byteLength(json) <= MAX_OUTPUT_BYTES && !nestsDeeper(json, MAX_OUTPUT_LEVELS);
}

/** Redacts an output. Returns undefined if it could not be redacted in time. */
async function redactedOutput(json: string, run: Attempt): Promise<RedactedOutput | undefined> {
  const { redact, redactOutput, signal } = run;
  if (!redactOutput) return redact.output(json);
  return redactOutput({ json, redact, signal }).catch((error: unknown) => {
    if (error instanceof QueueFullError || error instanceof WorkerLimitError) return undefined;
    throw error;
  });
}

function notRedacted(work: Work): ActionFailure {
  return outputTooLarge(`The ${nounOf(work)} was executed, but its output could not be redacted in time`);
}

function tooLarge(work: Work): ActionFailure {
  const limit = `${MAX_OUTPUT_BYTES / 1024 / 1024} MiB, or nests deeper than ${MAX_OUTPUT_LEVELS} levels`;
  return outputTooLarge(`The ${nounOf(work)} was executed, but its output is larger than ${limit}`);
}

/** Serializes an output. Returns undefined if it nests deeper than the stack allows or is longer than a string can be. */
function toJson(output: object): string | undefined {
  try {
    return stringifyOutput(output);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A request that a run sent, and its result. If `answer` and `refusal` are both absent, the result is unknown or has not arrived yet. */
export interface Exchange {
  request: RequestIdentity;
  answer?: Omit<Answer, 'body'>;
  refusal?: { code: EgressCode; reason: string; host?: string; sent: boolean };
}

/** Identifies a request, so that it is recognized when a restarted run sends it again. `body` is a digest. */
export type RequestIdentity = Pick<SendRequest, 'method' | 'url'> & { body?: string };

/** A request that was started, and its result after it has ended. */
export interface PendingExchange extends Exchange {
  answer?: Answer;
  /** The error of a failed request. */
  error?: unknown;
  /** Sequence numbers of the starts and ends of requests. */
  startedAs: number;
  endedAs?: number;
  /** Resolves when the request has ended, successfully or not. */
  ended: Promise<void>;
}

let moments = 0;

/** Sends a request, after its delay if it has one, and appends it to the requests of the run. */
export function startExchange(send: Send, request: SendRequest, exchanges: PendingExchange[]): PendingExchange {
  const setAnswer = (answer: Answer): void => void (exchange.answer = answer);
  const setError = (error: unknown): void => {
    exchange.error = error;
    if (!(error instanceof EgressError)) return;
    const { code, reason, host, sent } = error;
    exchange.refusal = { code, reason, host, sent };
  };
  const exchange: PendingExchange = {
    request: identityOf(request),
    startedAs: moments++,
    ended: delayed(send)(request)
      .then(setAnswer, setError)
      .then(() => void (exchange.endedAs = moments++)),
  };
  exchanges.push(exchange);
  return exchange;
}

export function identityOf({ method, url, body }: SendRequest): RequestIdentity {
  return { method, url, body: body === undefined ? undefined : hash('sha256', body, 'base64') };
}

/** HTTP methods that change no data: the safe methods of RFC 9110, section 9.2.1. */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns true if a request of the run may have changed data at the provider. A rate-limited request, or a request that was not sent, has changed
 * nothing.
 */
export function mayHaveWritten(exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ request, answer, refusal }) => {
    if (SAFE.has(request.method.toUpperCase())) return false;
    if (!answer) return refusal?.sent !== false;
    return !isRateLimit(answer) || answer.url !== new URL(request.url).href; // After a redirect, another endpoint was rate-limited.
  });
}
