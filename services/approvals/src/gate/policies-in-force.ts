import { type ConnectionStrategy } from '@drawbridge/contracts';
import { type Category, type JsonObject } from '@drawbridge/piece-kit';
import {
  type GatedCall,
  type JudgeRedirectRequest,
  type RedirectRules,
} from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Caller, caller } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { decide, type Decided } from '../policies/decide.js';
import { severityOf, type Verdict } from '../policies/evaluate.js';
import { type Evaluator } from '../policies/evaluator.js';
import { type KnownPolicies } from '../policies/known-policies.js';
import { type PolicyCall } from '../policies/policy.js';
import { hasHostRules, policyAgainst } from '../policies/redirects.js';
import { type StoredPolicy } from '../policies/policy-rows.js';

export type Judgement = Decided<StoredPolicy>;
/** A decision that a policy made. */
export type Matched = Extract<Judgement, { policy: StoredPolicy }>;

export type AskRisk = (policy: StoredPolicy, call: PolicyCall) => Promise<Verdict>;

/** The policies of the caller's organization. */
export interface PoliciesInForce {
  areAny(): Promise<boolean>;
  /** Evaluates the policies. `ask` gets a model's verdict if a policy wants one. */
  judge(workspaceId: string | undefined, call: GatedCall, ask: AskRisk): Promise<Judgement>;
  /** Returns the rules for redirects of the call; undefined if no policy matches on hosts. */
  redirectRules(
    workspaceId: string | undefined,
    call: GatedCall,
    judged: Judgement,
  ): Promise<RedirectRules | undefined>;
  /** Returns the policy that blocks a redirect to this host. */
  policyAgainstRedirect(request: JudgeRedirectRequest): Promise<StoredPolicy | undefined>;
}

export function policiesInForce(db: Db, known: KnownPolicies, evaluator: Evaluator): PoliciesInForce {
  return {
    // Bypasses the cache: callers cache this answer themselves, and two caches together would exceed the maximum staleness.
    areAny: async () => {
      const where = { orgId: caller().orgId, enabled: true };
      return (await db.approvalPolicy.findFirst({ where, select: { id: true } })) !== null;
    },
    async judge(workspaceId, gated, ask) {
      const { orgId } = caller();
      const policies = await known.of(orgId);
      const call = toPolicyCall(workspaceId, gated);
      const verdicts = new Map<string, Verdict>();
      const judgeAs = (one: PolicyCall) =>
        decide(
          (given) => evaluator.evaluate(orgId, policies, one, given),
          (policy) => ask(policy, one),
          verdicts,
        );
      const judged = await judgeAs(call);
      const source = provenSource(caller());
      if (source === call.source) return judged;
      const other = await judgeAs({ ...call, source });
      return severityOf(judged.decision) < severityOf(other.decision) ? judged : other;
    },
    async redirectRules(workspaceId, gated, { policy }) {
      const policies = await known.of(caller().orgId);
      const calls = asEachSource(toPolicyCall(workspaceId, gated));
      return calls.some((call) => hasHostRules(policies, call)) ? { policyId: policy?.id } : undefined;
    },
    async policyAgainstRedirect({ workspaceId, call: gated, rules, host }) {
      const policies = await known.of(caller().orgId);
      const calls = asEachSource(toPolicyCall(workspaceId, gated!));
      const redirect = { host, decidedBy: rules?.policyId };
      return calls.map((call) => policyAgainst(policies, call, redirect)).find((policy) => policy !== undefined);
    },
  };
}

/** Returns the call with the source that it claims and with the source that is proven. */
function asEachSource(call: PolicyCall): PolicyCall[] {
  return [...new Set([call.source, provenSource(caller())])].map((source) => ({ ...call, source }));
}

/** A key can claim to be the playground. The claim can add policies to its call, but cannot remove any. See docs/decisions/0021. */
const provenSource = ({ source, sessionId }: Caller): Caller['source'] =>
  source === 'playground' && sessionId === undefined ? 'rest' : source;

function toPolicyCall(workspaceId: string | undefined, { connectionId: _, ...call }: GatedCall): PolicyCall {
  return {
    ...call,
    workspaceId,
    source: caller().source,
    category: call.category as Category,
    connectionStrategy: call.connectionStrategy as ConnectionStrategy | undefined,
    input: (call.input ?? {}) as JsonObject,
  };
}
