import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';

type Named = Pick<ApprovalApprover, 'roles' | 'userIds'>;

/** Returns whether a policy's approvers name the user or the user's role in the organization. */
export function isNamed(approvers: readonly Named[], user: { id: string; role?: string }): boolean {
  return (
    approvers.some(({ userIds = [] }) => userIds.some((id) => id.toLowerCase() === user.id)) ||
    (user.role !== undefined && rolesNamed(approvers).includes(user.role))
  );
}

export function rolesNamed(approvers: readonly Named[]): string[] {
  return approvers.flatMap(({ roles = [] }) => roles);
}
