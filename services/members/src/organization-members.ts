import { isId, notFound } from '@drawbridge/contracts';
import { newestFirst } from '@drawbridge/database';
import { type AuditedChange, type Outbox } from '@drawbridge/events';
import {
  type Member,
  type MemberServiceDefinition,
  type UserRole,
} from '@drawbridge/proto/drawbridge/members/v1/members';
import { caller, type Implementation } from '@drawbridge/rpc';
import { addressesOf } from './addresses.js';
import { type Prisma, type PrismaClient as Db, type Member as Row } from './gen/prisma/client.js';
import { isLower, requireRoleWithin } from './hand-out.js';
import { lockOrganization } from './lock-organization.js';
import { requireOwnersKept } from './owners.js';
import { revokeAccess } from './revoke-access.js';
import { toMember, toMembers } from './to-members.js';
import { withdrawInvitations } from './withdraw-invitations.js';

export const organizationMembers = (db: Db, outbox: Outbox): Implementation<MemberServiceDefinition> => ({
  async listMembers(page) {
    const table = { rows: db.member, totals: db.total, name: 'members' };
    const { rows, total } = await newestFirst(table, { orgId: caller().orgId }, { ...page, includeSuspended: true });
    return { members: await toMembers(db, rows), total };
  },

  async batchGetRoles({ userIds }) {
    // A value that is not an id belongs to no user.
    const userId = { in: userIds.filter(isId) };
    const members = await toMembers(db, await db.member.findMany({ where: { orgId: caller().orgId, userId } }));
    return { roles: members.map(toUserRole) };
  },

  listAddresses: async (request) => ({ emails: await addressesOf(db, request) }),

  async updateMember({ id, role }) {
    const { orgId } = caller();
    const row = await db.$transaction(async (tx) => {
      const member = await findMember(tx, id);
      const isLowered = isLower(role, member.role);
      const withdrawn = isLowered ? await withdrawInvitations(tx, member) : '';
      await outbox.record(tx, { ...(await nameOf(tx, member)), reason: `from ${member.role} to ${role}${withdrawn}` });
      if (member.role === role) return member;
      await requireOwnersKept(tx, member, { role, field: 'role' });
      await requireRoleWithin(tx, { role, before: member.role });
      return tx.member.update({ where: { id, orgId }, data: { role } });
    });
    return toMember(db, row);
  },

  async deleteMember({ id }) {
    await db.$transaction(async (tx) => {
      const member = await findMember(tx, id);
      await requireOwnersKept(tx, member, { field: 'id' });
      await tx.member.delete({ where: { id, orgId: member.orgId } });
      await revokeAccess(tx, member);
      const withdrawn = await withdrawInvitations(tx, member);
      await outbox.record(tx, { ...(await nameOf(tx, member)), reason: `was ${member.role}${withdrawn}` });
    });
    return { deleted: true, id };
  },
});

const toUserRole = ({ userId, role, userName, userEmail }: Member): UserRole => ({
  userId,
  role,
  name: userName || userEmail,
});

async function nameOf(tx: Prisma.TransactionClient, { id, userId }: Row): Promise<AuditedChange> {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { email: true } });
  return { id, name: user?.email };
}

/** Locks the organization until the transaction ends, so that no other transaction changes its membership. Throws NOT_FOUND. */
async function findMember(tx: Prisma.TransactionClient, id: string): Promise<Row> {
  const { orgId } = caller();
  await lockOrganization(tx, orgId);
  const member = await tx.member.findFirst({ where: { id, orgId } });
  if (!member) throw notFound('Member', id);
  return member;
}
