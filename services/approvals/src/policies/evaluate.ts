import { cutText } from '@drawbridge/contracts';
import { type Decision, type Policy, type PolicyCall } from './policy.js';
import { type PreparedPolicies, type PreparedPolicy } from './prepare-policies.js';
import { type CallFacts, factsOf, type Reason } from './rules.js';

/** Maximum length of a reason, in characters. A reason contains paths of the input, which the caller chooses. */
const MAX_CHARACTERS = 300;
/** Maximum number of model requests per call, because the call waits for them one after another. */
const MAX_QUESTIONS = 3;
const ALWAYS: Reason = { text: 'riskMode: always' };
const WITHOUT_RULES: Reason = { text: 'rules: there are none, every call matches' };
const UNASKED: Verdict = {
  isRisky: true,
  reason: 'too many policies need a verdict of the model on this call',
  isDoubt: true,
};

/** The verdict of the operator's model on a call, for one policy. */
export interface Verdict {
  isRisky: boolean;
  reason: string;
  /** True if the model failed or returned no verdict. The verdict is not stored, because the next attempt may succeed. */
  isDoubt?: true;
}

/** The decision for a call, or the policy (`ask`) that needs a verdict of the model before the call can be decided. */
export type Evaluation<P extends Policy> = Decided<P> | { decision?: undefined; ask: P };

export type Decided<P extends Policy> =
  | { decision: Decision; policy: P; reasons: string[]; isDoubt?: true }
  | { decision: 'allow'; policy?: undefined; reasons: string[] };

/**
 * Returns the decision of the first policy that matches. The result depends only on the arguments, so a test of a policy returns the same result as a
 * real call. A policy that lets the call run but matches only in doubt does not prevent later policies from applying, because a caller could
 * otherwise skip an approval with a huge input. If no later policy matches, the first policy that matched in doubt applies.
 */
export function evaluate<P extends Policy>(
  { inOrder, prefixes }: PreparedPolicies<P>,
  call: PolicyCall,
  verdicts?: ReadonlyMap<string, Verdict>,
): Evaluation<P> {
  const facts = factsOf(call, prefixes);
  let inDoubt: Decided<P> | undefined;
  for (const prepared of inOrder) {
    if (!prepared.isFor(call)) continue;
    const { policy } = prepared;
    const reasons = reasonsOf(prepared, facts, verdicts?.get(policy.id));
    if (reasons === undefined) return { ask: policy };
    if (reasons.length === 0) continue;
    const decided = { decision: policy.decision, policy, reasons: reasons.map(({ text }) => text) };
    if (applies(policy, reasons)) return decided;
    inDoubt ??= { ...decided, isDoubt: true };
  }
  return inDoubt ?? { decision: 'allow', reasons: [] };
}

/**
 * Returns the reasons why the policy matches, or an empty list if it does not match. Returns undefined if the verdict of the model is needed first.
 */
function reasonsOf<P extends Policy>(
  { policy: { riskMode }, rules }: PreparedPolicy<P>,
  facts: CallFacts,
  verdict: Verdict | undefined,
): Reason[] | undefined {
  if (riskMode === 'always') return [ALWAYS];
  const reasons: Reason[] = [];
  for (const rule of rules) {
    const reason = rule(facts);
    if (reason) reasons.push({ ...reason, text: cutText(reason.text, MAX_CHARACTERS) });
  }
  if (reasons.length > 0) return reasons;
  if (riskMode === 'rules') return rules.length === 0 ? [WITHOUT_RULES] : [];
  if (!verdict) return undefined;
  return verdict.isRisky ? [{ text: `riskMode: model_assisted: ${verdict.reason}`, isDoubt: verdict.isDoubt }] : [];
}

/**
 * Returns the decision of the first policy that matches regardless of the input. Skips policies that depend on the input, so the decision for the
 * call with its input can differ, also because of a skipped policy with higher priority.
 */
export function evaluateWithoutInput<P extends Policy>(
  { inOrder, prefixes }: PreparedPolicies<P>,
  call: PolicyCall,
): Decided<P> {
  const facts = factsOf({ ...call, input: {} }, prefixes);
  for (const prepared of inOrder) {
    if (!prepared.isFor(call)) continue;
    const { policy } = prepared;
    const reasons = reasonsWithoutInput(prepared, facts);
    if (reasons.length > 0) return { decision: policy.decision, policy, reasons: reasons.map(({ text }) => text) };
  }
  return { decision: 'allow', reasons: [] };
}

function reasonsWithoutInput<P extends Policy>(
  { policy: { riskMode }, rules, inputlessRules }: PreparedPolicy<P>,
  facts: CallFacts,
): Reason[] {
  if (riskMode === 'always') return [ALWAYS];
  if (riskMode === 'rules' && rules.length === 0) return [WITHOUT_RULES];
  return inputlessRules.flatMap((rule) => rule(facts) ?? []);
}

/**
 * Decides a call. Calls `ask`, at most MAX_QUESTIONS times, for each policy that needs a verdict of the model and has no matching rule. `verdicts`
 * contains the verdicts from an earlier evaluation of the call, by policy id.
 */
export async function decide<P extends Policy>(
  evaluateWith: (verdicts: ReadonlyMap<string, Verdict>) => Promise<Evaluation<P>>,
  ask: (policy: P) => Promise<Verdict>,
  verdicts = new Map<string, Verdict>(),
): Promise<Decided<P>> {
  for (;;) {
    const evaluation = await evaluateWith(verdicts);
    if (evaluation.decision) return evaluation;
    const verdict = verdicts.size < MAX_QUESTIONS ? await ask(evaluation.ask) : UNASKED;
    verdicts.set(evaluation.ask.id, verdict);
  }
}

/** Returns true if a policy with host rules could block a redirect of the call or require approval for it. */
export function hasHostRules<P extends Policy>({ inOrder }: PreparedPolicies<P>, call: PolicyCall): boolean {
  return inOrder.some((prepared) => isAboutHosts(prepared) && isGating(prepared.policy) && prepared.isFor(call));
}

/**
 * Returns the policy that would block the call or require approval if its input also contained this host. Returns undefined if the redirect may be
 * followed. `decidedBy` is the id of the policy that decided the call. Policies after it do not apply.
 */
export function policyAgainst<P extends Policy>(
  { inOrder, prefixes }: PreparedPolicies<P>,
  call: PolicyCall,
  { host, decidedBy }: { host: string; decidedBy?: string },
): P | undefined {
  const facts = factsOf({ ...call, input: { redirect: `https://${host}/` } }, prefixes);
  for (const prepared of inOrder) {
    if (!prepared.isFor(call)) continue;
    const { policy, hostRules } = prepared;
    const reasons = isAboutHosts(prepared) ? hostRules.flatMap((rule) => rule(facts) ?? []) : [];
    if (applies(policy, reasons)) return isGating(policy) ? policy : undefined;
    if (policy.id === decidedBy) return undefined;
  }
  return undefined;
}

function isAboutHosts<P extends Policy>({ policy, hostRules }: PreparedPolicy<P>): boolean {
  return policy.riskMode !== 'always' && hostRules.length > 0;
}

/** A match in doubt is enough for a policy that blocks the call or requires approval, but not for a policy that lets it run. */
function applies(policy: Policy, reasons: readonly Reason[]): boolean {
  return isGating(policy) ? reasons.length > 0 : reasons.some(({ isDoubt }) => !isDoubt);
}

const isGating = ({ decision }: Policy): boolean => decision === 'block' || decision === 'require_approval';
