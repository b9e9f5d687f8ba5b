import {
  type Credential,
  isCredentialRefused,
  type JsonObject,
  type Piece,
  ProviderError,
  runAction,
  type Send,
} from '@drawbridge/piece-kit';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { defective, toFailure, tooLarge } from './failures.js';
import { isWithinBounds, MAX_OUTPUT_BYTES, MAX_OUTPUT_LEVELS } from './output-bound.js';
import { type Redactor } from '../redaction/redactor.js';
import { watchWrites } from './writes.js';

export interface Attempt {
  piece: Piece;
  actionName: string;
  input: JsonObject;
  credential?: Credential;
  /** Takes the credential out of whatever comes of it. */
  redact: Redactor;
  send: Send;
  signal?: AbortSignal;
}

export interface Attempted {
  outputJson?: string;
  failure?: ActionFailure;
  /** The provider refused the credential. */
  isRefused?: boolean;
  /** For our log: what nobody expected. */
  defect?: unknown;
}

/** Runs the action and judges how it ended; the credential is out of what it answers. Never rejects: a failure is an end. */
export async function attempt(run: Attempt): Promise<Attempted> {
  const { piece, actionName, input, credential, redact, send, signal } = run;
  const watched = watchWrites(send);
  try {
    return toBounded(await runAction(piece, actionName, { input, credential, send: watched.send, signal }), redact);
  } catch (error) {
    const failure = toFailure(error, { piece, actionName, redact, mayHaveWritten: watched.mayHaveWritten() });
    const isRefused = error instanceof ProviderError && isCredentialRefused(piece, error);
    return failure ? { failure, isRefused } : { failure: defective(), defect: error };
  }
}

function toBounded(output: JsonObject, redact: Redactor): Attempted {
  const json = toJson(output);
  const outputJson = json !== undefined && isWithinBounds(json) ? redact.json(json) : undefined;
  if (outputJson !== undefined && isWithinBounds(outputJson)) return { outputJson };
  const limit = `${MAX_OUTPUT_BYTES / 1024 / 1024} MiB, or nests deeper than ${MAX_OUTPUT_LEVELS} levels`;
  return { failure: tooLarge(`The action was done, but what it answered is larger than ${limit}`) };
}

/** Undefined for what nests deeper than the stack or is longer than a string can be. */
function toJson(output: JsonObject): string | undefined {
  try {
    return JSON.stringify(output);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
