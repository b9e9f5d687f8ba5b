import { invalid } from '@drawbridge/contracts';
import { type Egress, httpsProblem } from '@drawbridge/egress';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Client } from '@drawbridge/rpc';
import { type Problems } from './entry-problems.js';
import { policyProblems, sizeProblem, type RequestedPolicy } from './policy-problems.js';

/** Throws VALIDATION_ERROR for an invalid policy or change of one. `root` is the path of the policy in the body. */
export type RequirePolicy = (wanted: RequestedPolicy, root?: string) => Promise<void>;

interface Needs {
  egress: Pick<Egress, 'requireReachable'>;
  members: Pick<Client<MemberServiceDefinition>, 'batchGetRoles'>;
}

/** Returns a check that validates the form first, and then calls members to validate the approvers. */
export function policyCheck({ egress, members }: Needs): RequirePolicy {
  const denies = (url: string): string | undefined => httpsProblem(egress, url);
  return async (wanted, root = '') => {
    requireNone(policyProblems(wanted, denies), root);
    requireSmall(wanted, root);
    requireNone(await strangerProblems(members, wanted.approvers ?? []), root);
  };
}

/** Throws VALIDATION_ERROR if a complete policy exceeds the size limits. */
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
