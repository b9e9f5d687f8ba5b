import { ApiError } from '@drawbridge/contracts';
import { type HookRegistration } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';

const MAX_STATE_BYTES = 64 * 1024;
const MAX_CURSOR_BYTES = 1024 * 1024;
const MAX_TEXT_BYTES = 4_000;

/**
 * Limits the answers of providers and pieces that are stored with each source. Throws ACTION_FAILED for a larger one, and for a renewAt that is not a
 * date.
 */
export function requireKept({ stateJson, secret = '', renewAt }: Omit<HookRegistration, 'connectionId'>): void {
  requireAtMost(stateJson, MAX_STATE_BYTES);
  requireAtMost(secret, MAX_TEXT_BYTES);
  if (renewAt !== undefined && Number.isNaN(Date.parse(renewAt))) {
    throw unfit('OUTPUT_INVALID', 'When it is to be renewed is no time');
  }
}

/** Throws ACTION_FAILED for a cursor (as JSON) that is too large to store. */
export function requireKeptCursor(cursorJson: string): void {
  requireAtMost(cursorJson, MAX_CURSOR_BYTES);
}

/** Throws ACTION_FAILED for a route key that is too large to store. */
export function requireKeptText(text: string): void {
  requireAtMost(text, MAX_TEXT_BYTES);
}

function requireAtMost(text: string, bytes: number): void {
  if (Buffer.byteLength(text) > bytes) throw unfit('OUTPUT_TOO_LARGE', `More than ${bytes} bytes are to be kept of it`);
}

/** Returns the error for an answer of a trigger's code that cannot be used. */
export function unfit(code: string, message: string): ApiError {
  const provider = { status: null, code, message };
  return new ApiError('ACTION_FAILED', `The trigger does not work: ${message}`, {
    details: { provider, retryable: false },
  });
}
