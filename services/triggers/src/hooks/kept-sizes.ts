import { ApiError } from '@drawbridge/contracts';
import { type HookRegistration } from '@drawbridge/proto/drawbridge/execution/v1/trigger_hooks';

const MAX_STATE_BYTES = 64 * 1024;
const MAX_CURSOR_BYTES = 1024 * 1024;
const MAX_TEXT_BYTES = 4_000;

/** What third parties and pieces answer is kept with each source. Throws ACTION_FAILED for more. */
export function requireKept({ stateJson, secret = '' }: Pick<HookRegistration, 'stateJson' | 'secret'>): void {
  requireAtMost(stateJson, MAX_STATE_BYTES);
  requireAtMost(secret, MAX_TEXT_BYTES);
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
  if (Buffer.byteLength(text) <= bytes) return;
  const provider = { status: null, code: 'OUTPUT_TOO_LARGE', message: `More than ${bytes} bytes are to be kept of it` };
  throw new ApiError('ACTION_FAILED', 'The third party answered more than is kept of a trigger', {
    details: { provider, retryable: false },
  });
}
