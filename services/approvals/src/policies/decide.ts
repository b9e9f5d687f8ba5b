import { type Evaluation, type Verdict } from './evaluate.js';
import { type Policy } from './policy.js';

/** Limit per call, because the call waits for one model request after another. */
const MAX_QUESTIONS = 3;
const UNASKED: Verdict = { isRisky: true, reason: 'too many policies ask for this call' };

/** Evaluates the policies of one call with these verdicts. */
export type Evaluate<P extends Policy> = (verdicts: ReadonlyMap<string, Verdict>) => Promise<Evaluation<P>>;

export type Decided<P extends Policy> = Exclude<Evaluation<P>, { ask: P }>;

/**
 * Decides a call. Calls `ask`, at most three times, for a policy that wants a model's verdict and has no matching rule. `verdicts` holds
 * known verdicts of a call that is evaluated again.
 */
export async function decide<P extends Policy>(
  evaluate: Evaluate<P>,
  ask: (policy: P) => Promise<Verdict>,
  verdicts = new Map<string, Verdict>(),
): Promise<Decided<P>> {
  for (;;) {
    const evaluation = await evaluate(verdicts);
    if (evaluation.decision) return evaluation;
    const verdict = verdicts.size < MAX_QUESTIONS ? await ask(evaluation.ask) : UNASKED;
    verdicts.set(evaluation.ask.id, verdict);
  }
}
