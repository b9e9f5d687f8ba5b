import { currentContext, runInContext } from '@drawbridge/rpc';

const NEVER = new AbortController().signal;

/** Asks within a time of its own, in milliseconds: from the claim on no caller that hangs up ends what a run does. */
export function beyondCaller<Answer>(limitMs: number, ask: () => Promise<Answer>): Promise<Answer> {
  const context = currentContext();
  if (!context) return ask();
  return runInContext({ ...context, signal: NEVER, deadline: Date.now() + limitMs }, ask);
}
