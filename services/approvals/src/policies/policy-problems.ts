import {
  CONNECTION_STRATEGIES,
  EXECUTION_SOURCES,
  invalid,
  metadataProblem,
  ROLES,
  toHost,
} from '@drawbridge/contracts';
import { type Egress, httpsProblem } from '@drawbridge/egress';
import { CATEGORIES } from '@drawbridge/piece-kit';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type ApprovalRules } from '@drawbridge/proto/drawbridge/approvals/v1/policy_rules';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Client } from '@drawbridge/rpc';

/** Maximum number of entries in each list of a policy. */
const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 255;
/** Maximum size of all lists of a policy together, in bytes of JSON, because hundreds of policies are read together. */
const MAX_BYTES = 64 * 1024;
/** Maximum number of webhooks of a policy, because each webhook receives every event of every call that the policy matches. */
const MAX_WEBHOOKS = 10;

const FILTERS = [
  ...(['sources', 'mcpServerIds', 'workspaceIntegrationIds', 'integrationNames', 'integrationAliases'] as const),
  ...(['actionNames', 'connectionStrategies'] as const),
];
const RULES = [
  ...(['actionCategories', 'recipientAllowlist', 'recipientDenylist', 'domainAllowlist', 'domainDenylist'] as const),
  'storagePathPrefixes' as const,
];
/** The field that each type of approver requires and that other types must not have. */
const FIELD_OF: Record<string, keyof ApprovalApprover> = {
  org_role: 'roles',
  dashboard_user: 'userIds',
  webhook: 'webhookUrl',
};
const TYPES = ['org_role', 'dashboard_user', 'end_user', 'webhook'];

/** Returns the problem of a value, or undefined if it is valid. */
type ProblemOf = (text: string) => string | undefined;

/** The checks of list entries in addition to their length, by the name of the list. */
const CHECKS: Record<string, ProblemOf> = {
  sources: oneOf(EXECUTION_SOURCES),
  connectionStrategies: oneOf(CONNECTION_STRATEGIES),
  actionCategories: oneOf(CATEGORIES),
  recipientAllowlist: recipientProblem,
  recipientDenylist: recipientProblem,
  domainAllowlist: domainProblem,
  domainDenylist: domainProblem,
  roles: oneOf(ROLES),
};

/** The fields of a policy that need checks in addition to their message type. */
export interface RequestedPolicy extends Partial<Record<(typeof FILTERS)[number], readonly string[]>> {
  rules?: ApprovalRules;
  approvers?: readonly ApprovalApprover[];
  metadata?: object | null;
}

/** Throws VALIDATION_ERROR for an invalid policy or an invalid change. `root` is the path of the policy in the request body. */
export type RequirePolicy = (wanted: RequestedPolicy, root?: string) => Promise<void>;

interface Needs {
  egress: Pick<Egress, 'requireReachable'>;
  members: Pick<Client<MemberServiceDefinition>, 'batchGetRoles'>;
}

/** Returns a check that first validates the format, and then calls the members service to validate the approvers. */
export function policyCheck({ egress, members }: Needs): RequirePolicy {
  return async (wanted, root = '') => {
    requireNone(
      policyProblems(wanted, (url) => httpsProblem(egress, url)),
      root,
    );
    requireSmall(wanted, root);
    requireNone(await strangerProblems(members, wanted.approvers ?? []), root);
  };
}

/** Throws VALIDATION_ERROR if a complete policy exceeds the size limits. */
export function requireSmall(policy: RequestedPolicy, root = ''): void {
  const problem = sizeProblem(policy);
  requireNone(problem === undefined ? [] : [['rules', problem]], root);
}

/** Returns the problem with the size of a complete policy. */
export function sizeProblem(policy: RequestedPolicy): string | undefined {
  const { rules, approvers } = policy;
  const bytes = Buffer.byteLength(JSON.stringify([...FILTERS.map((key) => policy[key]), rules, approvers]));
  if (bytes <= MAX_BYTES) return undefined;
  return `must have at most ${MAX_BYTES} bytes as JSON together with filters and approvers (got ${bytes})`;
}

function requireNone(problems: Problems, root: string): void {
  if (problems.length > 0) throw invalid(Object.fromEntries(problems.map(([path, problem]) => [root + path, problem])));
}

async function strangerProblems(members: Needs['members'], approvers: readonly ApprovalApprover[]): Promise<Problems> {
  const named = approvers.flatMap(({ userIds = [] }, approver) =>
    userIds.map((id, index): [string, string] => [`approvers[${approver}].userIds[${index}]`, id]),
  );
  if (named.length === 0) return [];
  const { roles } = await members.batchGetRoles({ userIds: named.map(([, id]) => id) });
  const known = new Set(roles.map(({ userId }) => userId));
  return named
    .filter(([, id]) => !known.has(id.toLowerCase()))
    .map(([path, id]) => [path, `no member of the organization is user ${id}`]);
}

/** Problems, each with the path of the invalid field. */
type Problems = [path: string, problem: string][];

/** Returns every problem of a policy. `denies` returns why Drawbridge would not send requests to a webhook URL. */
export function policyProblems(wanted: RequestedPolicy, denies: ProblemOf): Problems {
  const { rules = {}, approvers = [], metadata } = wanted;
  const { amountThresholds = [] } = rules;
  const webhooks = approvers.filter(({ type }) => type === 'webhook').length;
  const tooManyWebhooks = `must contain at most ${MAX_WEBHOOKS} webhooks (got ${webhooks})`;
  return [
    ...FILTERS.flatMap((key) => entryProblems(key, wanted[key], CHECKS[key])),
    ...RULES.flatMap((key) => entryProblems(`rules.${key}`, rules[key], CHECKS[key])),
    ...tooMany('rules.amountThresholds', amountThresholds),
    ...amountThresholds
      .slice(0, MAX_ENTRIES)
      .flatMap((threshold, index) => [
        ...toProblems(`rules.amountThresholds[${index}].path`, requiredProblem(threshold.path)),
        ...toProblems(`rules.amountThresholds[${index}].gt`, requiredProblem(threshold.gt)),
      ]),
    ...tooMany('approvers', approvers),
    ...toProblems('approvers', webhooks > MAX_WEBHOOKS ? tooManyWebhooks : undefined),
    ...approvers.slice(0, MAX_ENTRIES).flatMap((one, index) => approverProblems(`approvers[${index}]`, one, denies)),
    ...toProblems('metadata', metadata ? metadataProblem(metadata) : undefined),
  ];
}

function approverProblems(path: string, approver: ApprovalApprover, denies: ProblemOf): Problems {
  const { type, ...fields } = approver;
  const ofType = type === undefined ? requiredProblem(type) : oneOf(TYPES)(type);
  if (type === undefined || ofType !== undefined) return toProblems(`${path}.type`, ofType);
  const wanted = FIELD_OF[type];
  const others = Object.entries(fields).filter(([key, value]) => value !== undefined && key !== wanted);
  return [
    ...others.map(([key]): Problems[number] => [`${path}.${key}`, `is not a field of type ${type}`]),
    ...(wanted === undefined
      ? []
      : valueProblems(`${path}.${wanted}`, approver[wanted], wanted === 'webhookUrl' ? denies : CHECKS[wanted])),
  ];
}

function valueProblems(path: string, value: string | string[] | undefined, problemOf?: ProblemOf): Problems {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return [[path, 'is required']];
  return Array.isArray(value) ? entryProblems(path, value, problemOf) : toProblems(path, problemOf?.(value));
}

/** Returns the problems of a list of strings, including the problems that `problemOf` finds. */
function entryProblems(path: string, list: readonly string[] = [], problemOf?: ProblemOf): Problems {
  const ofEntries = list
    .slice(0, MAX_ENTRIES)
    .flatMap((entry, index) => toProblems(`${path}[${index}]`, lengthProblem(entry) ?? problemOf?.(entry)));
  return [...tooMany(path, list), ...ofEntries];
}

function tooMany(path: string, list: readonly unknown[]): Problems {
  return toProblems(path, list.length > MAX_ENTRIES ? `must contain at most ${MAX_ENTRIES} entries` : undefined);
}

function toProblems(path: string, problem: string | undefined): Problems {
  return problem === undefined ? [] : [[path, problem]];
}

function requiredProblem(value: unknown): string | undefined {
  return value === undefined ? 'is required' : undefined;
}

function lengthProblem(entry: string): string | undefined {
  const isGood = entry !== '' && [...entry].length <= MAX_CHARACTERS;
  return isGood ? undefined : `must be 1 to ${MAX_CHARACTERS} characters`;
}

function oneOf(values: readonly string[]): ProblemOf {
  return (entry) => (values.includes(entry) ? undefined : `must be one of ${values.join(', ')}`);
}

/** Rejects entries that can never match a recipient, because such an entry would silently have no effect. */
function recipientProblem(entry: string): string | undefined {
  return /[\s,;<>]/.test(entry) ? 'must be an email, @domain or an id' : undefined;
}

function domainProblem(entry: string): string | undefined {
  return toHost(entry) === undefined ? 'must be a host, such as acme.com' : undefined;
}
