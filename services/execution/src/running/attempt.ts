import {
  type Credential,
  isCredentialRefused,
  type JsonObject,
  type Piece,
  ProviderError,
  type Send,
  type State,
} from '@drawbridge/piece-kit';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { type Redactor } from '../redaction/redactor.js';
import { outputTooLarge, pieceFailed, secretInOutput, toFailure } from './failures.js';
import { type Exchange, mayHaveWritten } from './exchange.js';
import { isWithinBounds, MAX_OUTPUT_BYTES, MAX_OUTPUT_LEVELS } from './output-bound.js';
import { doWork, isRepeatable, nounOf, type Work } from './work.js';

export interface Attempt {
  piece: Piece;
  work: Work;
  input: JsonObject;
  credential?: Credential;
  /** For an action that keeps something. */
  state?: State;
  /** Takes the credential out of whatever comes of it. */
  redact: Redactor;
  send: Send;
  /** Grows with what is sent. */
  exchanges: readonly Exchange[];
  signal?: AbortSignal;
  /** What is left to the run. */
  limitMs?: number;
  /** `send` waits itself for what is to be sent later. */
  sendsDelayed?: boolean;
}

export interface AttemptResult {
  outputJson?: string;
  failure?: ActionFailure;
  /** The provider refused the credential. */
  isRefused?: boolean;
  /** Nothing but the refused request may have changed anything: with another credential the action may run again. */
  mayRepeat?: boolean;
  /** For our log: what nobody expected. */
  defect?: unknown;
}

/** Does the work and judges how it ended; the credential is out of what it answers. Never rejects: a failure is an end. */
export async function attempt(run: Attempt): Promise<AttemptResult> {
  const { piece, work, redact, exchanges } = run;
  try {
    return toBounded(await doWork(piece, work, run), run);
  } catch (error) {
    const mayRepeatAfter = (sent: typeof exchanges): boolean => isRepeatable(piece, work) || !mayHaveWritten(sent);
    const failure = toFailure(error, { piece, redact, isRepeatable: mayRepeatAfter(exchanges) });
    const isRefused = error instanceof ProviderError && isCredentialRefused(piece, error);
    const mayRepeat = isRefused && mayRepeatAfter(exchanges.slice(0, -1));
    return failure ? { failure, isRefused, mayRepeat } : { failure: pieceFailed(work), defect: error };
  }
}

/** From here on the output is text, written once: its bounds are of text, and what is hidden may stand anywhere in it. */
function toBounded(output: object, { redact, work }: Attempt): AttemptResult {
  const json = toJson(output);
  if (json === undefined || !isWithinBounds(json)) return { failure: tooLarge(work) };
  const redacted = redact.output(json);
  if ('secretIn' in redacted) return { failure: secretInOutput(work, redacted.secretIn) };
  const isChanged = redacted.json !== json;
  return isChanged && !isWithinBounds(redacted.json) ? { failure: tooLarge(work) } : { outputJson: redacted.json };
}

function tooLarge(work: Work): ActionFailure {
  const limit = `${MAX_OUTPUT_BYTES / 1024 / 1024} MiB, or nests deeper than ${MAX_OUTPUT_LEVELS} levels`;
  return outputTooLarge(`The ${nounOf(work)} was done, but what it answered is larger than ${limit}`);
}

/** Undefined for what nests deeper than the stack or is longer than a string can be. */
function toJson(output: object): string | undefined {
  try {
    return JSON.stringify(output);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
