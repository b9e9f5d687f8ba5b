import { ApiError, changeUnknown } from '@drawbridge/contracts';
import { type CallContext, currentContext } from './context.js';

/**
 * Throws TIMEOUT if the deadline of the current call has passed or its caller has disconnected, outcome_unknown if the call has already changed
 * something. The caller has seen a timeout, so no change may follow; a process that was suspended and resumed finds such calls. Does nothing outside
 * of a call.
 */
export function requireInTime(context: CallContext | undefined = currentContext()): void {
  if (!context) return;
  if (Date.now() < context.deadline && !context.signal.aborted) return;
  if (context.serving?.hasChanged) throw changeUnknown(context.requestId);
  throw new ApiError('TIMEOUT', 'The deadline of this call has passed, or its caller has gone; nothing was changed');
}
