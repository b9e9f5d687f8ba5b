import { type PreparedPolicies, type PreparedPolicy, withLowerIds } from './evaluate.js';
import { type Policy, type PolicyCall } from './policy.js';
import { factsOf } from './rules.js';

/** Returns whether a policy could object to a redirect of such a call. */
export function hasHostRules<P extends Policy>({ inOrder }: PreparedPolicies<P>, call: PolicyCall): boolean {
  const lowered = withLowerIds(call);
  return inOrder.some((prepared) => isAboutHosts(prepared) && isGating(prepared.policy) && prepared.isFor(lowered));
}

/**
 * Returns the policy that would block the call or ask for an approval if its input also named this host; undefined if the redirect may be
 * followed. `decidedBy` is the policy that decided the call: policies after it do not apply.
 */
export function policyAgainst<P extends Policy>(
  { inOrder, prefixes }: PreparedPolicies<P>,
  call: PolicyCall,
  { host, decidedBy }: { host: string; decidedBy?: string },
): P | undefined {
  const lowered = withLowerIds(call);
  const facts = factsOf({ ...call, input: { redirect: `https://${host}/` } }, prefixes);
  for (const prepared of inOrder) {
    if (!prepared.isFor(lowered)) continue;
    const { policy, hostRules } = prepared;
    const matches = isAboutHosts(prepared) && hostRules.some((rule) => rule(facts) !== undefined);
    if (matches) return isGating(policy) ? policy : undefined;
    if (policy.id === decidedBy) return undefined;
  }
  return undefined;
}

function isAboutHosts<P extends Policy>({ policy, hostRules }: PreparedPolicy<P>): boolean {
  return policy.riskMode !== 'always' && hostRules.length > 0;
}

const isGating = ({ decision }: Policy): boolean => decision === 'block' || decision === 'require_approval';
