import { currentContext, runInContext } from './context.js';

const NEVER = new AbortController().signal;
const ASK_MS = 10_000;

/** Asks for all who wait: the first asker hanging up must not take the answer from the others. */
export function detached<T>(ask: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (!context) return ask();
  return runInContext({ ...context, signal: NEVER, deadline: Date.now() + ASK_MS }, ask);
}
