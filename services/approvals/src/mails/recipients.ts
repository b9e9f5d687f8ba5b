import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Client } from '@drawbridge/rpc';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';

export interface Directories {
  members: Pick<Client<MemberServiceDefinition>, 'listAddresses'>;
  endUsers: Pick<Client<EndUserServiceDefinition>, 'getEndUserAddress'>;
}

export interface Recipient {
  email: string;
  /** Members of the organization can sign in; end users cannot. */
  canSignIn: boolean;
}

/** Returns each person that the policy named once, sorted by address: transactions that lock addresses in one order cannot deadlock. */
export async function recipientsOf({ members, endUsers }: Directories, request: Row): Promise<Recipient[]> {
  const { orgId, workspaceId: placeId, endUserId } = request;
  const approvers = request.approvers as unknown as ApprovalApprover[];
  const roles = approvers.flatMap(({ roles: named = [] }) => named);
  const userIds = approvers.flatMap(({ userIds: named = [] }) => named);
  const found = new Map<string, Recipient>();
  if (endUserId !== null && approvers.some(({ type }) => type === 'end_user')) {
    const { email } = await endUsers.getEndUserAddress({ orgId, placeId, externalId: endUserId });
    if (email !== undefined) found.set(email, { email, canSignIn: false });
  }
  if (roles.length + userIds.length > 0) {
    const { emails } = await members.listAddresses({ orgId, placeId, roles, userIds });
    for (const email of emails) found.set(email, { email, canSignIn: true });
  }
  return [...found.values()].sort((one, other) => (one.email < other.email ? -1 : 1));
}
