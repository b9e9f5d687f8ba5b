import { type Policy, type PolicyCall } from '../policy.js';

/**
 * An independent, simple implementation of policy decisions, which tests compare with `evaluate`. It checks everything for every policy. It reads
 * only plain URLs, email addresses and paths; the tests of the rules cover other spellings.
 */
export function naiveDecision(
  policies: Policy[],
  call: PolicyCall,
  isRisky: boolean,
): { decision: string; id?: string } {
  const matching = policies.filter((policy) => matches(policy, call, isRisky));
  const winner = matching.find((one) => matching.every((other) => other === one || !beats(other, one)));
  return winner ? { decision: winner.decision, id: winner.id } : { decision: 'allow' };
}

function beats(one: Policy, other: Policy): boolean {
  if (one.priority !== other.priority) return one.priority < other.priority;
  const rank = { block: 4, require_approval: 3, notify_only: 2, auto_approve: 1 };
  if (one.decision !== other.decision) return rank[one.decision] > rank[other.decision];
  return one.id < other.id;
}

function matches(policy: Policy, call: PolicyCall, isRisky: boolean): boolean {
  if (!policy.enabled) return false;
  if (policy.workspaceId !== null && policy.workspaceId !== call.workspaceId) return false;
  if (policy.endUserMode === 'end_user_present' && !call.endUserId) return false;
  if (policy.endUserMode === 'no_end_user' && call.endUserId) return false;
  const passes = (list: readonly string[], value: string | undefined): boolean =>
    list.length === 0 || list.some((one) => one === value);
  if (!passes(policy.sources, call.source) || !passes(policy.mcpServerIds, call.mcpServerId)) return false;
  if (!passes(policy.workspaceIntegrationIds, call.workspaceIntegrationId)) return false;
  if (!passes(policy.integrationNames, call.integrationName)) return false;
  const isAliased = [call.integrationAlias, call.calledAlias].some((alias) => passes(policy.integrationAliases, alias));
  if (!isAliased || !passes(policy.actionNames, call.actionName)) return false;
  if (!passes(policy.connectionStrategies, call.connectionStrategy || 'fixed')) return false;
  if (policy.riskMode === 'always') return true;
  const answers = answersOf(policy, call);
  if (answers.some((answer) => answer)) return true;
  return policy.riskMode === 'model_assisted' ? isRisky : answers.length === 0;
}

/** Returns, for each rule list that has entries, whether it matches the call. */
function answersOf({ rules }: Policy, call: PolicyCall): boolean[] {
  const answers: boolean[] = [];
  const when = <T>(list: readonly T[] | undefined, answer: (list: readonly T[]) => boolean): void => {
    if (list && list.length > 0) answers.push(answer(list));
  };
  const text = JSON.stringify(call.input);
  const hosts = [...text.matchAll(/(?:https?:\/\/|[a-z]@)([a-z.]+)/g)].map(([, host]) => host!);
  const isOf = (host: string, list: readonly string[]): boolean =>
    list.some((domain) => host === domain || host.endsWith(`.${domain}`));
  const to = call.recipients.flatMap((field) => call.input[field] ?? []).flat() as string[];
  const isNamed = (one: string, list: readonly string[]): boolean =>
    list.some((entry) => (entry.startsWith('@') && one.endsWith(entry)) || entry === one);
  when(rules.actionCategories, (list) => list.some((one) => one === call.category));
  when(rules.amountThresholds, (list) => list.some(({ path, gt }) => Number(call.input[path]) > gt));
  when(rules.recipientAllowlist, (list) => !to.every((one) => isNamed(one, list)));
  when(rules.recipientDenylist, (list) => to.some((one) => isNamed(one, list)));
  when(rules.domainAllowlist, (list) => !hosts.every((host) => isOf(host, list)));
  when(rules.domainDenylist, (list) => hosts.some((host) => isOf(host, list)));
  when(rules.storagePathPrefixes, (list) => list.some((prefix) => text.includes(`"${prefix}`)));
  return answers;
}
