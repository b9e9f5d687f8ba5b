import { setImmediate as nextTurn } from 'node:timers/promises';
import { cutText } from '@drawbridge/contracts';
import { type Decision, type Policy, type PolicyCall } from './policy.js';
import { type CallFacts, factsOf, type Rule, rulesOf } from './rules.js';
import { type PathPrefixes, toPathPrefixes, withoutRoot } from './storage-paths.js';

/** Ordered by severity, the most severe first. */
const SEVERITY: readonly Decision[] = ['block', 'require_approval', 'notify_only', 'auto_approve'];
/** Limit of a reason: the paths in it come from the caller. */
const MAX_CHARACTERS = 300;
/** Preparing one policy with the maximum number of entries takes about a millisecond. */
const POLICIES_AT_ONCE = 10;
const NO_REASONS: readonly string[] = [];
const NO_VERDICTS: ReadonlyMap<string, Verdict> = new Map();

/** The verdict of the operator's model on a call, for one policy. */
export interface Verdict {
  isRisky: boolean;
  reason: string;
  /** The model failed or gave no verdict. The next attempt may differ. */
  isDoubt?: true;
}

/** The decision for a call, or the policy that needs a model's verdict first. */
export type Evaluation<P extends Policy> =
  | { decision: Decision; policy: P; reasons: string[] }
  | { decision: 'allow'; policy?: undefined; reasons: string[] }
  | { decision?: undefined; ask: P };

/** Policies compiled for repeated evaluation. */
export interface PreparedPolicies<P extends Policy> {
  /** Identifies these policies in this version. Absent: they are evaluated once. */
  key?: string;
  /** The number of entries in all lists of rules. */
  entries: number;
  /** Whether any rule reads the input of a call. */
  readsInput: boolean;
  inOrder: readonly PreparedPolicy<P>[];
  prefixes: PathPrefixes;
}

export interface PreparedPolicy<P extends Policy> {
  policy: P;
  /** Matches the filters of the policy. The ids of the call must be in lower case. */
  isFor(call: PolicyCall): boolean;
  rules: readonly Rule[];
  /** The rules that match on hosts. */
  hostRules: readonly Rule[];
}

/** Returns a lower number for a more severe decision. */
export function severityOf(decision: Decision | 'allow'): number {
  return decision === 'allow' ? SEVERITY.length : SEVERITY.indexOf(decision);
}

/** Compiles the enabled policies in evaluation order: by priority, then the most severe first, then by id. */
export function preparePolicies<P extends Policy>(policies: readonly P[], key?: string): PreparedPolicies<P> {
  return toPrepared(enabledOf(policies).map(prepare), key);
}

/** Does the same in steps, so that the event loop is not blocked for long. */
export async function preparePoliciesInSteps<P extends Policy>(
  policies: readonly P[],
  key: string,
): Promise<PreparedPolicies<P>> {
  const inOrder: PreparedPolicy<P>[] = [];
  for (const policy of enabledOf(policies)) {
    inOrder.push(prepare(policy));
    if (inOrder.length % POLICIES_AT_ONCE === 0) await nextTurn();
  }
  return toPrepared(inOrder, key);
}

function enabledOf<P extends Policy>(policies: readonly P[]): P[] {
  return policies.filter(({ enabled }) => enabled).sort(byPrecedence);
}

function prepare<P extends Policy>(policy: P): PreparedPolicy<P> {
  const { domainAllowlist, domainDenylist, storagePathPrefixes, ...others } = policy.rules;
  const hostRules = rulesOf({ domainAllowlist, domainDenylist });
  const rules = [...rulesOf(others), ...hostRules, ...rulesOf({ storagePathPrefixes })];
  return { policy, isFor: filterOf(policy), rules, hostRules };
}

function toPrepared<P extends Policy>(inOrder: PreparedPolicy<P>[], key: string | undefined): PreparedPolicies<P> {
  const policies = inOrder.map(({ policy }) => policy);
  const prefixes = policies.flatMap(({ rules }) => rules.storagePathPrefixes ?? []);
  return { key, ...measured(policies), inOrder, prefixes: toPathPrefixes(prefixes.map(withoutRoot)) };
}

function measured(policies: readonly Policy[]): { entries: number; readsInput: boolean } {
  const lists = policies.map(({ rules: { actionCategories = [], ...ofInput } }) => ({
    ofInput: Object.values(ofInput).reduce((sum, list) => sum + list.length, 0),
    others: 1 + actionCategories.length,
  }));
  const ofInput = lists.reduce((sum, list) => sum + list.ofInput, 0);
  return { entries: lists.reduce((sum, { others }) => sum + others, ofInput), readsInput: ofInput > 0 };
}

/** Returns the decision of the first policy that matches. Depends only on its arguments, so a test gives the same result as a real call. */
export function evaluate<P extends Policy>(
  { inOrder, prefixes }: PreparedPolicies<P>,
  call: PolicyCall,
  verdicts: ReadonlyMap<string, Verdict> = NO_VERDICTS,
): Evaluation<P> {
  const facts = factsOf(call, prefixes);
  const lowered = withLowerIds(call);
  for (const prepared of inOrder) {
    if (!prepared.isFor(lowered)) continue;
    const reasons = reasonsOf(prepared, facts, verdicts.get(prepared.policy.id));
    if (reasons === undefined) return { ask: prepared.policy };
    if (reasons.length > 0)
      return { decision: prepared.policy.decision, policy: prepared.policy, reasons: [...reasons] };
  }
  return { decision: 'allow', reasons: [] };
}

function byPrecedence(one: Policy, other: Policy): number {
  return (
    one.priority - other.priority ||
    severityOf(one.decision) - severityOf(other.decision) ||
    (one.id < other.id ? -1 : 1)
  );
}

function filterOf(policy: Policy): (call: PolicyCall) => boolean {
  const { workspaceId, endUserMode } = policy;
  const aliases = new Set(policy.integrationAliases);
  const places = new Set(workspaceId === null ? [] : [workspaceId]);
  const filters: { list: ReadonlySet<string>; valueOf: (call: PolicyCall) => string | undefined }[] = [
    { list: places, valueOf: (call) => call.workspaceId },
    { list: new Set(policy.sources), valueOf: ({ source }) => source },
    { list: lowerCased(policy.mcpServerIds), valueOf: (call) => call.mcpServerId },
    { list: lowerCased(policy.workspaceIntegrationIds), valueOf: (call) => call.workspaceIntegrationId },
    { list: new Set(policy.integrationNames), valueOf: ({ integrationName }) => integrationName },
    {
      list: aliases,
      valueOf: (call) => [call.calledAlias, call.integrationAlias].find((one) => aliases.has(one ?? '')),
    },
    { list: new Set(policy.actionNames), valueOf: ({ actionName }) => actionName },
    { list: new Set(policy.connectionStrategies), valueOf: ({ connectionStrategy }) => connectionStrategy ?? 'fixed' },
  ];
  const set = filters.filter(({ list }) => list.size > 0);
  return (call) => {
    for (const { list, valueOf } of set) if (!list.has(valueOf(call) ?? '')) return false;
    return endUserMode === 'any' || (endUserMode === 'end_user_present') === (call.endUserId !== undefined);
  };
}

/** Lowers the ids, which are accepted in any case. */
export function withLowerIds(call: PolicyCall): PolicyCall {
  return {
    ...call,
    workspaceId: call.workspaceId?.toLowerCase(),
    mcpServerId: call.mcpServerId?.toLowerCase(),
    workspaceIntegrationId: call.workspaceIntegrationId?.toLowerCase(),
  };
}

function lowerCased(ids: readonly string[]): Set<string> {
  return new Set(ids.map((id) => id.toLowerCase()));
}

/** Returns why the policy matches. Empty: it does not match. Undefined: its model must be asked first. */
function reasonsOf<P extends Policy>(
  { policy: { riskMode }, rules }: PreparedPolicy<P>,
  facts: CallFacts,
  verdict: Verdict | undefined,
): readonly string[] | undefined {
  if (riskMode === 'always') return ['riskMode: always'];
  let reasons = NO_REASONS;
  for (const rule of rules) {
    const reason = rule(facts);
    if (reason !== undefined) reasons = [...reasons, cutText(reason, MAX_CHARACTERS)];
  }
  if (reasons.length > 0) return reasons;
  if (riskMode === 'rules') return rules.length === 0 ? ['rules: there are none, every call matches'] : NO_REASONS;
  if (!verdict) return undefined;
  return verdict.isRisky ? [`riskMode: model_assisted: ${verdict.reason}`] : NO_REASONS;
}
