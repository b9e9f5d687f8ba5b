import { currentContext, derivedContext, runInContext } from './context.js';

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/**
 * Runs `ask` with its own time limit in milliseconds, detached from the caller: a caller that disconnects must not cancel shared work or the result
 * that others wait for.
 */
export function detached<T>(ask: () => Promise<T>, limitMs = ASK_MS): Promise<T> {
  const context = currentContext();
  if (!context) return ask();
  return runInContext(derivedContext(context, { signal: NEVER, deadline: Date.now() + limitMs }), ask);
}
