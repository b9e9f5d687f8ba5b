import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Decision, type Policy, type PolicyCall } from './policy.js';
import { type Rule, rulesOf } from './rules.js';
import { type PathPrefixes, toPathPrefixes, withoutRoot } from './storage-paths.js';

/** Decisions by severity, most severe first. */
const SEVERITY: readonly Decision[] = ['block', 'require_approval', 'notify_only', 'auto_approve'];
/** Number of policies that are compiled without a pause for other work. One policy with the maximum number of entries takes about a millisecond. */
const POLICIES_AT_ONCE = 10;

/** Policies compiled for repeated evaluation. */
export interface PreparedPolicies<P extends Policy> {
  /** Identifies this version of the policies in the cache of a worker thread. Absent if the policies are evaluated only once. */
  key?: string;
  /** The number of entries in all lists of the rules. */
  entries: number;
  /** True if any rule reads the input of a call. */
  readsInput: boolean;
  inOrder: readonly PreparedPolicy<P>[];
  prefixes: PathPrefixes;
}

export interface PreparedPolicy<P extends Policy> {
  policy: P;
  /** Returns true if the call matches the filters of the policy. */
  isFor(call: PolicyCall): boolean;
  rules: readonly Rule[];
  /** The rules that do not read the input. */
  inputlessRules: readonly Rule[];
  /** The rules that match on hosts. */
  hostRules: readonly Rule[];
}

/** Compiles the enabled policies in evaluation order: by priority, then most severe first, then by id. */
export function preparePolicies<P extends Policy>(policies: readonly P[], key?: string): PreparedPolicies<P> {
  return toPrepared(enabledOf(policies).map(prepare), key);
}

/** Compiles policies like `preparePolicies`, with pauses, so that the event loop is not blocked for long. */
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

/** Returns a lower number for a more severe decision. */
export function severityOf(decision: Decision | 'allow'): number {
  return decision === 'allow' ? SEVERITY.length : SEVERITY.indexOf(decision);
}

function enabledOf<P extends Policy>(policies: readonly P[]): P[] {
  return policies.filter(({ enabled }) => enabled).sort(byPrecedence);
}

function byPrecedence(one: Policy, other: Policy): number {
  return (
    one.priority - other.priority ||
    severityOf(one.decision) - severityOf(other.decision) ||
    (one.id < other.id ? -1 : 1)
  );
}

function prepare<P extends Policy>(policy: P): PreparedPolicy<P> {
  const { actionCategories, domainAllowlist, domainDenylist, storagePathPrefixes, ...others } = policy.rules;
  const inputlessRules = rulesOf({ actionCategories });
  const hostRules = rulesOf({ domainAllowlist, domainDenylist });
  const rules = [...inputlessRules, ...rulesOf(others), ...hostRules, ...rulesOf({ storagePathPrefixes })];
  return { policy, isFor: filterOf(policy), rules, inputlessRules, hostRules };
}

function filterOf(policy: Policy): (call: PolicyCall) => boolean {
  const { workspaceId, endUserMode } = policy;
  const aliases = new Set(policy.integrationAliases);
  // Ids are compared in lower case, because callers can send UUIDs in upper case.
  const filters: [ReadonlySet<string>, (call: PolicyCall) => string | undefined][] = [
    [new Set(workspaceId === null ? [] : [workspaceId]), (call) => call.workspaceId?.toLowerCase()],
    [new Set(policy.sources), ({ source }) => source],
    [lowerCased(policy.mcpServerIds), (call) => call.mcpServerId?.toLowerCase()],
    [lowerCased(policy.workspaceIntegrationIds), (call) => call.workspaceIntegrationId?.toLowerCase()],
    [new Set(policy.integrationNames), ({ integrationName }) => integrationName],
    [aliases, (call) => [call.calledAlias, call.integrationAlias].find((one) => aliases.has(one ?? ''))],
    [new Set(policy.actionNames), ({ actionName }) => actionName],
    [new Set(policy.connectionStrategies), ({ connectionStrategy = 'fixed' }) => connectionStrategy],
  ];
  const set = filters.filter(([list]) => list.size > 0);
  return (call) => {
    for (const [list, valueOf] of set) if (!list.has(valueOf(call) ?? '')) return false;
    return endUserMode === 'any' || (endUserMode === 'end_user_present') === (call.endUserId !== undefined);
  };
}

function lowerCased(ids: readonly string[]): Set<string> {
  return new Set(ids.map((id) => id.toLowerCase()));
}

function toPrepared<P extends Policy>(inOrder: PreparedPolicy<P>[], key: string | undefined): PreparedPolicies<P> {
  const rules = inOrder.map(({ policy }) => policy.rules);
  const categories = rules.reduce((sum, { actionCategories = [] }) => sum + actionCategories.length, 0);
  const all = rules.reduce((sum, one) => Object.values(one).reduce((count, list) => count + list.length, sum), 0);
  const prefixes = rules.flatMap(({ storagePathPrefixes = [] }) => storagePathPrefixes.map(withoutRoot));
  const measured = { entries: rules.length + all, readsInput: all > categories };
  return { key, ...measured, inOrder, prefixes: toPathPrefixes(prefixes) };
}
