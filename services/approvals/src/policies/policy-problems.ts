import { EXECUTION_SOURCES, CONNECTION_STRATEGIES, metadataProblem, toHost } from '@drawbridge/contracts';
import { CATEGORIES } from '@drawbridge/piece-kit';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type ApprovalRules } from '@drawbridge/proto/drawbridge/approvals/v1/policy_rules';
import { approverProblems } from './approver-problems.js';
import { entryProblems, MAX_ENTRIES, oneOf, type Problems, required, tooMany } from './entry-problems.js';

/** Limit of all lists together, as JSON text: hundreds of policies are read at once. */
const MAX_BYTES = 64 * 1024;
/** Every webhook gets each event of each call. */
const MAX_WEBHOOKS = 10;

/** The fields of a policy that need checks beyond their message type. */
export interface RequestedPolicy {
  sources?: readonly string[];
  mcpServerIds?: readonly string[];
  workspaceIntegrationIds?: readonly string[];
  integrationNames?: readonly string[];
  integrationAliases?: readonly string[];
  actionNames?: readonly string[];
  connectionStrategies?: readonly string[];
  rules?: ApprovalRules;
  approvers?: readonly ApprovalApprover[];
  metadata?: object | null;
}

/** Returns every problem of a policy. `denies` returns why egress would block a URL. */
export function policyProblems(wanted: RequestedPolicy, denies: (url: string) => string | undefined): Problems {
  const { rules = {}, approvers = [], metadata, ...filters } = wanted;
  const { mcpServerIds, workspaceIntegrationIds, integrationNames, integrationAliases, actionNames } = filters;
  const plain = { mcpServerIds, workspaceIntegrationIds, integrationNames, integrationAliases, actionNames };
  const problems: Problems = [
    ...entryProblems('sources', filters.sources, oneOf(EXECUTION_SOURCES)),
    ...entryProblems('connectionStrategies', filters.connectionStrategies, oneOf(CONNECTION_STRATEGIES)),
    ...Object.entries(plain).flatMap(([key, list]) => entryProblems(key, list)),
    ...ruleProblems(rules),
    ...tooMany('approvers', approvers),
    ...webhookProblems(approvers),
    ...approvers.slice(0, MAX_ENTRIES).flatMap((approver, index) => approverProblems(approver, index, denies)),
  ];
  const ofMetadata = metadata ? metadataProblem(metadata) : undefined;
  if (ofMetadata !== undefined) problems.push(['metadata', ofMetadata]);
  return problems;
}

function webhookProblems(approvers: readonly ApprovalApprover[]): Problems {
  const { length } = approvers.filter(({ type }) => type === 'webhook');
  return length > MAX_WEBHOOKS ? [['approvers', `must name at most ${MAX_WEBHOOKS} webhooks, not ${length}`]] : [];
}

/** Returns the problem with the size of a complete policy. */
export function sizeProblem(policy: RequestedPolicy): string | undefined {
  const { sources, mcpServerIds, workspaceIntegrationIds, integrationNames, integrationAliases, actionNames } = policy;
  const ids = [mcpServerIds, workspaceIntegrationIds];
  const names = [sources, integrationNames, integrationAliases, actionNames, policy.connectionStrategies];
  const bytes = Buffer.byteLength(JSON.stringify([...ids, ...names, policy.rules, policy.approvers]));
  return bytes > MAX_BYTES
    ? `must with filters and approvers hold at most ${MAX_BYTES} bytes as JSON, not ${bytes}`
    : undefined;
}

function ruleProblems({ amountThresholds = [], ...lists }: ApprovalRules): Problems {
  const known = lists.actionCategories;
  return [
    ...entryProblems('rules.actionCategories', known, oneOf(CATEGORIES)),
    ...tooMany('rules.amountThresholds', amountThresholds),
    ...amountThresholds
      .slice(0, MAX_ENTRIES)
      .flatMap(({ path, gt }, index) => [
        ...required(`rules.amountThresholds[${index}].path`, path),
        ...required(`rules.amountThresholds[${index}].gt`, gt),
      ]),
    ...entryProblems('rules.recipientAllowlist', lists.recipientAllowlist, recipientProblem),
    ...entryProblems('rules.recipientDenylist', lists.recipientDenylist, recipientProblem),
    ...entryProblems('rules.domainAllowlist', lists.domainAllowlist, domainProblem),
    ...entryProblems('rules.domainDenylist', lists.domainDenylist, domainProblem),
    ...entryProblems('rules.storagePathPrefixes', lists.storagePathPrefixes),
  ];
}

/** Rejects entries that can never match a recipient: they would have no effect, unnoticed. */
function recipientProblem(entry: string): string | undefined {
  return /[\s,;<>]/.test(entry) ? 'must be an email, @domain or an id' : undefined;
}

function domainProblem(entry: string): string | undefined {
  return toHost(entry) === undefined ? 'must be a host, such as acme.com' : undefined;
}
