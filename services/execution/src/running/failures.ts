import { cutText } from '@drawbridge/contracts';
import { EgressError } from '@drawbridge/egress';
import { InputError, type Piece, PropertyError, ProviderError, StateError } from '@drawbridge/piece-kit';
import { type ActionFailure } from '@drawbridge/proto/drawbridge/execution/v1/actions';
import { redactBeginning, type Redactor } from '../redaction/redactor.js';
import { OUTCOME_UNKNOWN } from '../run-log/outcome.js';
import { limitOf, nounOf, type Work } from './work.js';

/** Of a provider's own words. */
const MAX_MESSAGE = 500;
const MAX_CODE = 100;

interface Failed {
  piece: Piece;
  redact: Redactor;
  /** Of all that the run sent, not of its last request alone. */
  isRepeatable: boolean;
}

/** What a caller hears of an error that a run threw, the credential out of it; undefined for a defect of the piece. */
export function toFailure(error: unknown, run: Failed): ActionFailure | undefined {
  const { piece, redact, isRepeatable } = run;
  // Cut when the credential is out: half of it would be recognised by nobody.
  const shown = (text: string, max: number): string => cutText(redactBeginning(text, max, redact.text).shown, max);
  if (error instanceof InputError) {
    const message = shown(error.message, MAX_MESSAGE);
    const fields = { [`input.${error.property}`]: { message } };
    return { code: 'VALIDATION_ERROR', message: `input.${error.property}: ${message}`, details: { fields } };
  }
  if (error instanceof PropertyError) {
    return { code: error.code, message: shown(error.message, MAX_MESSAGE), details: {} };
  }
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

/** A defect of the piece. Its text may quote what it was working on: it goes to nobody. */
export function pieceFailed(work: Work): ActionFailure {
  const message = `The ${nounOf(work)} failed unexpectedly`;
  return failed(message, { code: 'PIECE_FAILED', message }, false);
}

export function timedOut(work: Work): ActionFailure {
  const message = `The ${nounOf(work)} did not end within ${limitOf(work) / 1000} s`;
  return failed(message, { code: 'TIMEOUT', message }, work.kind !== 'action');
}

/** It was answered; what it was answered is not passed on. */
export function outputTooLarge(message: string): ActionFailure {
  return failed(message, { code: 'OUTPUT_TOO_LARGE', message }, false);
}

/** It was done; what it answered holds the credential where nothing is rewritten. */
export function secretInOutput(work: Work, secretIn: 'FILE' | 'KEY'): ActionFailure {
  const part = secretIn === 'FILE' ? 'a file' : 'a field name';
  const message = `The ${nounOf(work)} was done, but ${part} in its answer contains a secret of the connection`;
  return failed(message, { code: `SECRET_IN_${secretIn}`, message }, false);
}

/** An isolated action's process ended before it did. */
export function overLimits(): ActionFailure {
  const message = 'The action needs more time or memory than it may take';
  return failed(message, { code: 'LIMIT_EXCEEDED', message }, false);
}

/** It has not begun. */
export function tooBusy(): ActionFailure {
  const message = 'Too many actions of this organization wait already';
  return failed(message, { code: 'TOO_BUSY', message }, true);
}

function failed(message: string, provider: Record<string, unknown>, retryable: boolean): ActionFailure {
  const { status = null, code = null, ...rest } = provider;
  return { code: 'ACTION_FAILED', message, details: { provider: { status, code, ...rest }, retryable } };
}
