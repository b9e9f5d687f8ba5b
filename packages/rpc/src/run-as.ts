import { type Caller, type CallContext, currentContext, derivedContext, runInContext } from './context.js';

/** Continues the current call on behalf of a caller that was not known when it arrived. `own` may also replace its signal and deadline. */
export function runAs<T>(
  own: { caller: Caller } & Partial<Pick<CallContext, 'signal' | 'deadline'>>,
  work: () => Promise<T>,
): Promise<T> {
  const context = currentContext();
  if (!context) throw new Error('Nothing is being served');
  return runInContext(derivedContext(context, own), work);
}
