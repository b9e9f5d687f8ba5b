import { invalid } from '@drawbridge/contracts';
import { type Egress, httpsProblem } from '@drawbridge/egress';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Client } from '@drawbridge/rpc';
import { type Problems } from './entry-problems.js';
import { policyProblems, sizeProblem, type RequestedPolicy } from './policy-problems.js';

/** Throws VALIDATION_ERROR for what a policy, or a change of one, may not hold. `root`: where it stands in the body. */
export type RequirePolicy = (wanted: RequestedPolicy, root?: string) => Promise<void>;

interface Needs {
  egress: Pick<Egress, 'requireReachable'>;
  members: Pick<Client<MemberServiceDefinition>, 'batchGetRoles'>;
}

/** What is wrong with its form comes first; what others know of it, next. */
export function policyCheck({ egress, members }: Needs): RequirePolicy {
  const denies = (url: string): string | undefined => httpsProblem(egress, url);
  return async (wanted, root = '') => {
    requireNone(policyProblems(wanted, denies), root);
    requireSmall(wanted, root);
    requireNone(await strangerProblems(members, wanted.approvers ?? []), root);
  };
}

/** Of a whole policy. Throws VALIDATION_ERROR where it holds more than it may. */
export function requireSmall(policy: RequestedPolicy, root = ''): void {
  const problem = sizeProblem(policy);
  requireNone(problem === undefined ? [] : [['rules', problem]], root);
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
