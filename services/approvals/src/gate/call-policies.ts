import { ApiError, type ConnectionStrategy } from '@drawbridge/contracts';
import { type Category, type JsonObject } from '@drawbridge/piece-kit';
import {
  type GatedCall,
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
/** The decision of a policy that matched. */
export type Matched = Extract<Judgement, { policy: StoredPolicy }>;

/** The policies of the caller's organization. */
export interface PolicyParts {
  known: KnownPolicies;
  evaluator: Evaluator;
}

/** The part of an RPC request that describes the call. */
type Asked = Pick<JudgeRequest, 'workspaceId' | 'call'>;

/** Evaluates the policies for a call. `ask` requests the verdict of the risk model if a policy needs it. */
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
  return decisions.reduce(moreSevere);
}

/** Evaluates the policies for calls without a known input. Returns one decision per call, in the same order. */
export async function evaluateCallsWithoutInput(
  { known, evaluator }: PolicyParts,
  { workspaceId, calls }: { workspaceId: string; calls: readonly GatedCall[] },
): Promise<Judgement[]> {
  const { orgId } = caller();
  const policies = await known.of(orgId);
  const bySource = sources().map((source) => {
    const asked = calls.map((call) => toPolicyCall({ workspaceId, call }, source));
    return evaluator.evaluateWithoutInput(orgId, policies, asked);
  });
  const [first = [], ...others] = await Promise.all(bySource);
  return first.map((judgement, at) => [judgement, ...others.map((list) => list[at]!)].reduce(moreSevere));
}

const moreSevere = (one: Judgement, other: Judgement): Judgement =>
  severityOf(one.decision) < severityOf(other.decision) ? one : other;

/** Returns the error for a call that a policy blocks. */
export function blockedBy({ policy, reasons }: Matched): ApiError {
  const details = { policyId: policy.id, reasons };
  return new ApiError('FORBIDDEN', `The approval policy ${policy.name} blocks this call`, { details });
}

/** Returns the rules for redirects of the call, or undefined if no policy matches on hosts. */
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

/**
 * Returns the id of the policy that decided the call. Returns undefined if the policy matched in doubt (a rule could not be evaluated within its
 * limits), because policies after it then still apply to redirects.
 */
function decidedBy(judgement: Judgement): string | undefined {
  return judgement.policy && !judgement.isDoubt ? judgement.policy.id : undefined;
}

/** Returns the policy that forbids the call to follow a redirect to `host`, or undefined if the redirect is allowed. */
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

function asEachSource(asked: Asked): PolicyCall[] {
  return sources().map((one) => toPolicyCall(asked, one));
}

/**
 * Returns the source of the call that the caller claims, and the source that is verified, because an API key can falsely claim to be the playground.
 * The claim can make additional policies apply, but cannot prevent any from applying. See docs/decisions/0021.
 */
function sources(): Caller['source'][] {
  const { source, sessionId } = caller();
  const proven: Caller['source'] = source === 'playground' && sessionId === undefined ? 'rest' : source;
  return [...new Set([source, proven])];
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
