import { ApiError } from '@drawbridge/contracts';
import { type HookRegistration } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';

const MAX_STATE_BYTES = 64 * 1024;
const MAX_CURSOR_BYTES = 1024 * 1024;
const MAX_TEXT_BYTES = 4_000;

/** What third parties and pieces answer is kept with each source. Throws ACTION_FAILED for more, and for a time that is none. */
export function requireKept({ stateJson, secret = '', renewAt }: Omit<HookRegistration, 'connectionId'>): void {
  requireAtMost(stateJson, MAX_STATE_BYTES);
  requireAtMost(secret, MAX_TEXT_BYTES);
  if (renewAt !== undefined && Number.isNaN(Date.parse(renewAt))) {
    throw unfit('OUTPUT_INVALID', 'When it is to be renewed is no time');
  }
}

/** The same for where a poll has come to, as JSON. */
export function requireKeptCursor(cursorJson: string): void {
  requireAtMost(cursorJson, MAX_CURSOR_BYTES);
}

/** And for whom of an app events are about. */
export function requireKeptText(text: string): void {
  requireAtMost(text, MAX_TEXT_BYTES);
}

function requireAtMost(text: string, bytes: number): void {
  if (Buffer.byteLength(text) > bytes) throw unfit('OUTPUT_TOO_LARGE', `More than ${bytes} bytes are to be kept of it`);
}

/** What the code of a trigger answers that is not to be worked with. */
export function unfit(code: string, message: string): ApiError {
  const provider = { status: null, code, message };
  return new ApiError('ACTION_FAILED', `The trigger does not work: ${message}`, {
    details: { provider, retryable: false },
  });
}
