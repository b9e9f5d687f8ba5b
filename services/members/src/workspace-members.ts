import { invalid, notFound, suspended } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type WorkspaceMemberServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspace_members';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { requireRoleWithin } from './authority.js';
import { type Prisma, type Workspace } from './gen/prisma/client.js';
import { lockOrganization } from './membership.js';
import { type Parts } from './parts.js';

export const workspaceMembers = ({ db, outbox }: Parts): Implementation<WorkspaceMemberServiceDefinition> => ({
  async createWorkspaceMember({ workspaceId, memberId, role = 'member' }) {
    const { orgId } = caller();
    const row = await db.$transaction(async (tx) => {
      await lockOrganization(tx, orgId);
      const workspace = await findStaying(tx, orgId, workspaceId);
      if (!workspace) throw notFound('Workspace', workspaceId);
      if (workspace.suspendedAt) throw suspended('Workspace', workspaceId, workspace.suspensionReason);
      if (!(await staysMember(tx, orgId, memberId))) throw invalid({ memberId: 'is not a member of the organization' });
      await requireRoleWithin(tx, { role, workspaceId });
      const made = await tx.workspaceMember.create({ data: { orgId, workspaceId, memberId, role } });
      await outbox.record(tx, { id: made.id, workspaceId, reason: `member ${memberId} as ${role}` });
      return made;
    });
    return toWire(row);
  },

  async deleteWorkspaceMember({ id }) {
    const where = { id, orgId: caller().orgId };
    const row = await db.workspaceMember.findFirst({ where });
    if (!row) throw notFound('Workspace member', id);
    requireInScope(row.workspaceId);
    await db.$transaction(async (tx) => {
      const { count } = await tx.workspaceMember.deleteMany({ where });
      if (count === 0) throw notFound('Workspace member', id);
      const reason = `member ${row.memberId}, was ${row.role}`;
      await outbox.record(tx, { id, workspaceId: row.workspaceId, reason });
    });
    return { deleted: true, id };
  },
});

type Staying = Pick<Workspace, 'suspendedAt' | 'suspensionReason'>;

/** Returns the state of a workspace, and locks the workspace against deletion until the transaction ends. */
async function findStaying(tx: Prisma.TransactionClient, orgId: string, id: string): Promise<Staying | undefined> {
  const rows = await tx.$queryRaw<Staying[]>`
    SELECT suspended_at AS "suspendedAt", suspension_reason AS "suspensionReason" FROM members.workspaces
    WHERE id = ${id}::uuid AND org_id = ${orgId}::uuid FOR KEY SHARE`;
  return rows[0];
}

async function staysMember(tx: Prisma.TransactionClient, orgId: string, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM members.members WHERE id = ${id}::uuid AND org_id = ${orgId}::uuid FOR KEY SHARE`;
  return rows.length > 0;
}
