import { currentContext, derivedContext, runInContext } from './context.js';

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/**
 * Asks within a time of its own, in milliseconds, whatever becomes of the caller: who hangs up must not take the answer from others who
 * wait for it, nor end what has begun.
 */
export function detached<T>(ask: () => Promise<T>, limitMs = ASK_MS): Promise<T> {
  const context = currentContext();
  if (!context) return ask();
  return runInContext(derivedContext(context, { signal: NEVER, deadline: Date.now() + limitMs }), ask);
}
