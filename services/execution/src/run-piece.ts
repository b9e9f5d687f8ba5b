import { cutText } from '@drawbridge/contracts';
import { EgressError, type Send } from '@drawbridge/egress';
import {
  type Credential,
  InputError,
  isCredentialRefused,
  type JsonObject,
  type Piece,
  ProviderError,
  runAction,
} from '@drawbridge/piece-kit';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { describeError, type Logger } from '@drawbridge/rpc';
import { type Outcome } from './outcome.js';
import { type Redact } from './redact.js';

/** A run's own limit; no caller shortens it, for from the claim on the run ends by itself. */
const RUN_MS = 60_000;
/** Of a provider's own words. */
const MAX_MESSAGE = 500;
const MAX_CODE = 100;

export interface PieceRun {
  piece: Piece;
  actionName: string;
  input: JsonObject;
  credential?: Credential;
  /** Takes the credential out of what the provider said. */
  redact: Redact;
  send: Send;
  /** Awaited where the provider refused the credential. */
  onRefused(failure: ActionFailure): Promise<void>;
  log: Logger;
}

/** Runs the action and judges how it ended. Never rejects: a failure is an outcome. */
export async function runPiece(run: PieceRun): Promise<Outcome> {
  const startedAt = performance.now();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), RUN_MS);
  const { isRefused, ...result } = await Promise.race([attempt(run, limit.signal), timeUp(limit.signal)]);
  clearTimeout(timer);
  const outcome = { ...result, duration: Math.round(performance.now() - startedAt) };
  if (isRefused && outcome.failure) await run.onRefused(outcome.failure);
  return outcome;
}

type Result = Omit<Outcome, 'duration'> & { isRefused?: boolean };

async function attempt(run: PieceRun, signal: AbortSignal): Promise<Result> {
  const { piece, actionName, input, credential, send, log } = run;
  try {
    return { outputJson: JSON.stringify(await runAction(piece, actionName, { input, credential, send, signal })) };
  } catch (error) {
    const isRefused = error instanceof ProviderError && isCredentialRefused(piece, error);
    return { failure: toFailure(error, run) ?? unexpected(error, log), isRefused };
  }
}

function timeUp(signal: AbortSignal): Promise<Result> {
  const message = `The action did not end within ${RUN_MS / 1000} s`;
  const failure = failed(message, { code: 'TIMEOUT', message }, false);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ failure }), { once: true }));
}

function toFailure(error: unknown, { piece, actionName, redact }: PieceRun): ActionFailure | undefined {
  if (error instanceof InputError) {
    const fields = { [`input.${error.property}`]: { message: error.message } };
    return { code: 'VALIDATION_ERROR', message: `input.${error.property}: ${error.message}`, details: { fields } };
  }
  if (error instanceof ProviderError) {
    const { status, retryable, retryAfter } = error;
    // Cut when the credential is out: half of it would be recognised by nobody.
    const message = cutText(redact(error.message), MAX_MESSAGE);
    const code = error.code && cutText(redact(error.code), MAX_CODE);
    const said = `${piece.displayName} answered ${status ?? 'with an error'}: ${message}`;
    return failed(said, { status, code, message, retryAfter }, retryable);
  }
  if (error instanceof EgressError) {
    const { code, message, sent } = error;
    const isRepeatable = piece.actions[actionName]?.idempotent === true;
    const isDenied = code === 'EGRESS_DENIED' || code.startsWith('INVALID');
    return failed(message, { code, message }, !isDenied && (!sent || isRepeatable));
  }
  return undefined;
}

/** A defect of the piece. Its text may quote what it was working on: it goes to nobody. */
function unexpected(error: unknown, log: Logger): ActionFailure {
  log.error({ error: describeError(error) }, 'a piece failed unexpectedly');
  const message = 'The action failed unexpectedly';
  return failed(message, { code: 'PIECE_FAILED', message }, false);
}

function failed(message: string, provider: Record<string, unknown>, retryable: boolean): ActionFailure {
  const { status = null, code = null, ...rest } = provider;
  return { code: 'ACTION_FAILED', message, details: { provider: { status, code, ...rest }, retryable } };
}
