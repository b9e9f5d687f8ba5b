import { actorOf } from '@drawbridge/events';
import { type Decider } from '@drawbridge/proto/drawbridge/approvals/v1/decider';
import { type ApprovalApprover } from '@drawbridge/proto/drawbridge/approvals/v1/policy';
import { type MemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/members';
import { caller, type Client, isGranted, requireInScope, requireNamed } from '@drawbridge/rpc';
import { type ApprovalRequest as Row, type PrismaClient as Db } from '../gen/prisma/client.js';
import { findRequest } from './find-request.js';
import { isNamed, rolesNamed } from './is-named.js';

export type Members = Pick<Client<MemberServiceDefinition>, 'batchGetRoles'>;

/** Returns the caller as a decider. Throws NOT_FOUND, SCOPE_DENIED and FORBIDDEN. */
export async function requireDecider({ db, members }: { db: Db; members: Members }, id: string): Promise<Decider> {
  const row = await findRequest(db, id);
  requireInScope(row.workspaceId);
  requireNamed(await deciding(members)(row));
  const { actorType, actorId } = actorOf(caller());
  return { type: actorType, id: actorId };
}

/** Checks whether the caller may decide a request: by permission, or as a user that its policy named when it was opened. */
export function deciding(members: Members): (request: Pick<Row, 'approvers'>) => Promise<boolean> {
  const { permissions, sessionId, userId: id } = caller();
  let role: Promise<string | undefined> | undefined;
  return async (request) => {
    if (isGranted('approvals.decide', permissions)) return true;
    // A key has only its own permissions, not those of its creator.
    if (sessionId === undefined) return false;
    const approvers = request.approvers as unknown as ApprovalApprover[];
    // The role is looked up once for many requests.
    if (rolesNamed(approvers).length > 0) role ??= roleOf(members, id);
    return isNamed(approvers, { id, role: await role });
  };
}

async function roleOf(members: Members, id: string): Promise<string | undefined> {
  return (await members.batchGetRoles({ userIds: [id] })).roles[0]?.role;
}
