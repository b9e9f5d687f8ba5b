import { type ConnectionStrategy } from '@drawbridge/contracts';
import { type Category, type JsonObject } from '@drawbridge/piece-kit';
import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Caller, caller } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { decide, type Decided } from '../policies/decide.js';
import { severityOf, type Verdict } from '../policies/evaluate.js';
import { type KnownPolicies } from '../policies/known-policies.js';
import { type PolicyCall } from '../policies/policy.js';
import { type StoredPolicy } from '../policies/policy-rows.js';

/** What the policies say of a call. */
export type Judgement = Decided<StoredPolicy>;
/** One that is about it. */
export type Matched = Extract<Judgement, { policy: StoredPolicy }>;

export type AskRisk = (policy: StoredPolicy, call: PolicyCall) => Promise<Verdict>;

/** The policies of the caller's organization. */
export interface PoliciesInForce {
  areAny(): Promise<boolean>;
  /** `ask`: what a model says of the call, where a policy wants that. */
  judge(workspaceId: string | undefined, call: GatedCall, ask: AskRisk): Promise<Judgement>;
}

export function policiesInForce(db: Db, known: KnownPolicies): PoliciesInForce {
  return {
    // Not what is remembered: who asks remembers the answer, and both together would be too long.
    areAny: async () => {
      const where = { orgId: caller().orgId, enabled: true };
      return (await db.approvalPolicy.findFirst({ where, select: { id: true } })) !== null;
    },
    async judge(workspaceId, gated, ask) {
      const policies = await known.of(caller().orgId);
      const call = toPolicyCall(workspaceId, gated);
      const verdicts = new Map<string, Verdict>();
      const judgeAs = (one: PolicyCall) => decide(policies, one, (policy) => ask(policy, one), verdicts);
      const judged = await judgeAs(call);
      const source = provenSource(caller());
      if (source === call.source) return judged;
      const other = await judgeAs({ ...call, source });
      return severityOf(judged.decision) < severityOf(other.decision) ? judged : other;
    },
  };
}

/** A key says itself that it is the playground: that can bring policies upon its call, and takes none off it. See docs/decisions/0021. */
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
