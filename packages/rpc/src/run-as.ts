import { type Caller, type CallContext, currentContext, derivedContext, runInContext } from './context.js';

/**
 * Goes on with the call that is served in the name of another caller, who was not known when it came; `own` may give it another signal and
 * deadline too.
 */
export function runAs<T>(
  own: { caller: Caller } & Partial<Pick<CallContext, 'signal' | 'deadline'>>,
  work: () => Promise<T>,
): Promise<T> {
  const context = currentContext();
  if (!context) throw new Error('Nothing is being served');
  return runInContext(derivedContext(context, own), work);
}
