import { ApiError, changeUnknown } from '@drawbridge/contracts';
import { type CallContext, currentContext } from './context.js';

/**
 * Throws TIMEOUT, or outcome_unknown once the call has changed something, where the deadline of the call that is served has passed, or its caller has gone: the caller was told so, and a change
 * must not happen after that. A process that was stopped and resumed finds such calls. Does nothing outside of a call.
 */
export function requireInTime(context: CallContext | undefined = currentContext()): void {
  if (!context) return;
  if (Date.now() < context.deadline && !context.signal.aborted) return;
  if (context.serving?.hasChanged) throw changeUnknown(context.requestId);
  throw new ApiError('TIMEOUT', 'The deadline of this call has passed, or its caller has gone; nothing was changed');
}
