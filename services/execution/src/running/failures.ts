import { cutText } from '@drawbridge/contracts';
import { EgressError } from '@drawbridge/egress/egress-error';
import {
  CodeFailedError,
  InputError,
  type Piece,
  PropertyError,
  ProviderError,
  StateError,
} from '@drawbridge/piece-kit';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';
import { OUTCOME_UNKNOWN } from '../run-log/outcome.js';
import { limitOf, nounOf, type Work } from './work.js';

/** Maximum number of characters of the provider's message. */
const MAX_MESSAGE = 500;
const MAX_CODE = 100;
const MAX_CONSOLE_LINES = 20;

/** Redacts and shortens a string. */
type Show = (text: string, max: number) => string;

interface Failed {
  piece: Piece;
  redact: Redactor;
  /** True if the whole run can be repeated, not only its last request. */
  isRepeatable: boolean;
}

/** Converts an error that a run threw to a redacted failure. Returns undefined for a defect of the piece. */
export function toFailure(error: unknown, run: Failed): ActionFailure | undefined {
  const { piece, redact, isRepeatable } = run;
  // Redacts before it shortens, because a secret that is cut off would not be recognized.
  const shown = (text: string, max: number): string => cutText(redactBeginning(text, max, redact.text).shown, max);
  if (error instanceof InputError) {
    const message = shown(error.message, MAX_MESSAGE);
    const fields = { [`input.${error.property}`]: { message } };
    return { code: 'VALIDATION_ERROR', message: `input.${error.property}: ${message}`, details: { fields } };
  }
  if (error instanceof PropertyError) {
    return { code: error.code, message: shown(error.message, MAX_MESSAGE), details: {} };
  }
  if (error instanceof CodeFailedError) return codeFailed(error, shown);
  if (error instanceof ProviderError) {
    const { status, retryable, retryAfter } = error;
    const message = shown(error.message, MAX_MESSAGE);
    const code = error.code && shown(error.code, MAX_CODE);
    const said = `${piece.displayName} answered ${status ?? 'with an error'}: ${message}`;
    return failed(said, { status, code, message, retryAfter }, retryable && isRepeatable);
  }
  if (error instanceof StateError) {
    const { code, message } = error;
    if (code === 'OUTCOME_UNKNOWN') return OUTCOME_UNKNOWN.failure;
    return failed(message, { code, message }, code === 'TOO_BUSY' || code === 'UNAVAILABLE');
  }
  if (error instanceof EgressError) {
    const { code } = error;
    const message = shown(error.message, MAX_MESSAGE);
    const isDenied = code === 'EGRESS_DENIED' || code === 'REDIRECT_BLOCKED' || code.startsWith('INVALID');
    return failed(message, { code, message }, !isDenied && isRepeatable);
  }
  return undefined;
}

/** Returns the failure of code that the caller wrote, with the position of the error and the last console lines. */
function codeFailed({ code, message, line, column, console }: CodeFailedError, shown: Show): ActionFailure {
  const lines = console.slice(-MAX_CONSOLE_LINES).map(({ level, text }) => ({ level, text: shown(text, MAX_MESSAGE) }));
  const position = line === undefined ? {} : { line, column };
  const provider = { code, message: shown(message, MAX_MESSAGE), ...position, console: lines };
  const failure = failed(`The code failed: ${provider.message}`, provider, false);
  // The SDKs read this reason, and then do not suggest to repeat the call.
  return code === 'OUTCOME_UNKNOWN'
    ? { ...failure, details: { ...failure.details, reason: 'outcome_unknown' } }
    : failure;
}

/** Returns the failure for a defect of the piece. It does not contain the error message, which may quote confidential data. */
export function pieceFailed(work: Work): ActionFailure {
  const message = `The ${nounOf(work)} failed unexpectedly`;
  return failed(message, { code: 'PIECE_FAILED', message }, false);
}

export function timedOut(work: Work): ActionFailure {
  const message = `The ${nounOf(work)} did not complete within ${limitOf(work) / 1000} s`;
  return failed(message, { code: 'TIMEOUT', message }, work.kind !== 'action');
}

/** Returns the failure of an action that was executed, but with an output that is too large to return. */
export function outputTooLarge(message: string): ActionFailure {
  return failed(message, { code: 'OUTPUT_TOO_LARGE', message }, false);
}

/** Returns the failure of an action that was executed, but with the credential in a place of its output that cannot be rewritten. */
export function secretInOutput(work: Work, secretIn: 'FILE' | 'KEY'): ActionFailure {
  const part = secretIn === 'FILE' ? 'a file' : 'a field name';
  const message = `The ${nounOf(work)} was executed, but ${part} in its output contains a secret of the connection`;
  return failed(message, { code: `SECRET_IN_${secretIn}`, message }, false);
}

/** Returns the failure of an isolated action that exceeded its time or memory limit, so that its process was ended. */
export function overLimits(): ActionFailure {
  const message = 'The action exceeded its time or memory limit';
  return failed(message, { code: 'LIMIT_EXCEEDED', message }, false);
}

/** Returns the failure of work that never started because the queue of the organization is full. */
export function tooBusy(): ActionFailure {
  const message = 'Too many actions of this organization are waiting';
  return failed(message, { code: 'TOO_BUSY', message }, true);
}

function failed(message: string, provider: Record<string, unknown>, retryable: boolean): ActionFailure {
  const { status = null, code = null, ...rest } = provider;
  return { code: 'ACTION_FAILED', message, details: { provider: { status, code, ...rest }, retryable } };
}
