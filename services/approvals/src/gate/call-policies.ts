import { type ConnectionStrategy } from '@drawbridge/contracts';
import { type Category, type JsonObject } from '@drawbridge/piece-kit';
import {
  type JudgeRedirectRequest,
  type JudgeRequest,
  type RedirectRules,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Caller, caller } from '@drawbridge/rpc';
import { decide, type Decided, hasHostRules, policyAgainst, type Verdict } from '../policies/evaluate.js';
import { type Evaluator } from '../policies/evaluator.js';
import { type PolicyCall } from '../policies/policy.js';
import { severityOf } from '../policies/prepare-policies.js';
import { type KnownPolicies, type StoredPolicy } from '../policies/stored-policies.js';

export type Judgement = Decided<StoredPolicy>;
/** A decision that a policy made. */
export type Matched = Extract<Judgement, { policy: StoredPolicy }>;

/** The policies of the caller's organization. */
export interface PolicyParts {
  known: KnownPolicies;
  evaluator: Evaluator;
}

/** A request of an RPC of the gate. */
type Asked = Pick<JudgeRequest, 'workspaceId' | 'call'>;

/** Evaluates the policies for a call. `ask` returns a model's verdict if a policy wants one. */
export async function evaluateCall(
  { known, evaluator }: PolicyParts,
  asked: Asked,
  ask: (policy: StoredPolicy, call: PolicyCall) => Promise<Verdict>,
): Promise<Judgement> {
  const { orgId } = caller();
  const policies = await known.of(orgId);
  const verdicts = new Map<string, Verdict>();
  const decisions: Judgement[] = [];
  for (const call of asEachSource(asked)) {
    const evaluate = (given: ReadonlyMap<string, Verdict>) => evaluator.evaluate(orgId, policies, call, given);
    decisions.push(await decide(evaluate, (policy) => ask(policy, call), verdicts));
  }
  return decisions.reduce((one, other) => (severityOf(one.decision) < severityOf(other.decision) ? one : other));
}

/** Returns the rules for redirects of the call; undefined if no policy matches on hosts. */
export async function redirectRules(
  { known }: PolicyParts,
  asked: Asked,
  judgement: Judgement,
): Promise<RedirectRules | undefined> {
  const policies = await known.of(caller().orgId);
  return asEachSource(asked).some((call) => hasHostRules(policies, call))
    ? { policyId: decidedBy(judgement) }
    : undefined;
}

/** Policies after one that matched in doubt still apply. */
function decidedBy(judgement: Judgement): string | undefined {
  return judgement.policy && !judgement.isDoubt ? judgement.policy.id : undefined;
}

/** Returns the policy that blocks a redirect to this host. */
export async function policyAgainstRedirect(
  { known }: PolicyParts,
  { rules, host, ...asked }: JudgeRedirectRequest,
): Promise<StoredPolicy | undefined> {
  const policies = await known.of(caller().orgId);
  const redirect = { host, decidedBy: rules?.policyId };
  return asEachSource(asked)
    .map((call) => policyAgainst(policies, call, redirect))
    .find((policy) => policy !== undefined);
}

/**
 * Returns the call with the source that it claims and with the source that is proven. A key can claim to be the playground. The claim can
 * add policies to its call, but cannot remove any. See docs/decisions/0021.
 */
function asEachSource(asked: Asked): PolicyCall[] {
  const { source, sessionId } = caller();
  const proven: Caller['source'] = source === 'playground' && sessionId === undefined ? 'rest' : source;
  return [...new Set([source, proven])].map((one) => toPolicyCall(asked, one));
}

function toPolicyCall({ workspaceId, call: gated }: Asked, source: Caller['source']): PolicyCall {
  const { connectionId: _, ...call } = gated!;
  return {
    ...call,
    workspaceId,
    source,
    category: call.category as Category,
    connectionStrategy: call.connectionStrategy as ConnectionStrategy | undefined,
    input: (call.input ?? {}) as JsonObject,
  };
}
