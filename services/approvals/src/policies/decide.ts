import { evaluate, type Evaluation, type PreparedPolicy, type Verdict } from './evaluate.js';
import { type Policy, type PolicyCall } from './policy.js';

export type Decided<P extends Policy> = Exclude<Evaluation<P>, { ask: P }>;

/** What comes of a call. `ask` is asked for a verdict where a policy wants one and no rule of it is true. */
export async function decide<P extends Policy>(
  policies: readonly PreparedPolicy<P>[],
  call: PolicyCall,
  ask: (policy: P) => Promise<Verdict>,
): Promise<Decided<P>> {
  const verdicts = new Map<string, Verdict>();
  for (;;) {
    const evaluation = evaluate(policies, call, verdicts);
    if (evaluation.decision) return evaluation;
    verdicts.set(evaluation.ask.id, await ask(evaluation.ask));
  }
}
