import { type Evaluation, type Verdict } from './evaluate.js';
import { type Policy } from './policy.js';

/** Of one call: it waits for them one after the other. */
const MAX_QUESTIONS = 3;
const UNASKED: Verdict = { isRisky: true, reason: 'too many policies ask for this call' };

/** Evaluates the policies of one call with these verdicts. */
export type Evaluate<P extends Policy> = (verdicts: ReadonlyMap<string, Verdict>) => Promise<Evaluation<P>>;

export type Decided<P extends Policy> = Exclude<Evaluation<P>, { ask: P }>;

/**
 * What comes of a call. `ask` is asked for a verdict where a policy wants one and no rule of it is true, three times at most. `verdicts`: those
 * that are known, of a call that is judged again.
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
