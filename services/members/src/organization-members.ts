import { isId, notFound } from '@drawbridge/contracts';
import { newestFirst, toWire } from '@drawbridge/database';
import { type AuditedChange } from '@drawbridge/events';
import {
  type ListAddressesRequest,
  type Member,
  type MemberServiceDefinition,
  type UserRole,
} from '@drawbridge/proto/drawbridge/members/v1/members';
import { caller, type Implementation } from '@drawbridge/rpc';
import { isLower, requireRoleWithin } from './authority.js';
import { type PrismaClient as Db, type Prisma, type Member as Row } from './gen/prisma/client.js';
import { lockOrganization, requireOwnersKept, revokeAccess, withdrawInvitations } from './membership.js';
import { type Parts } from './parts.js';

export const organizationMembers = ({ db, outbox }: Parts): Implementation<MemberServiceDefinition> => ({
  async listMembers(page) {
    const table = { rows: db.member, totals: db.total, name: 'members' };
    const { rows, total } = await newestFirst(table, { orgId: caller().orgId }, { ...page, includeSuspended: true });
    return { members: await toMembers(db, rows), total };
  },

  async batchGetRoles({ userIds }) {
    // Ignores values that are not UUIDs, because they belong to no user and the database would reject them.
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

/** Returns a member. Locks the organization until the transaction ends, so that no other transaction changes its members. Throws NOT_FOUND. */
async function findMember(tx: Prisma.TransactionClient, id: string): Promise<Row> {
  const { orgId } = caller();
  await lockOrganization(tx, orgId);
  const member = await tx.member.findFirst({ where: { id, orgId } });
  if (!member) throw notFound('Member', id);
  return member;
}

type Users = Pick<Prisma.TransactionClient, 'user'>;

/** Returns members with the names and email addresses of their users. */
async function toMembers(db: Users, rows: Row[]): Promise<Member[]> {
  const users = await db.user.findMany({ where: { id: { in: rows.map(({ userId }) => userId) } } });
  const known = new Map(users.map((user) => [user.id, user]));
  return rows.map((row) => {
    const { name: userName = '', email: userEmail = '', image } = known.get(row.userId) ?? {};
    return { ...toWire(row), organizationId: row.orgId, userName, userEmail, userImage: image ?? undefined };
  });
}

export async function toMember(db: Users, row: Row): Promise<Member> {
  const [member] = await toMembers(db, [row]);
  return member!;
}

const MOST = 100;

/**
 * Returns the email addresses of these users and roles. Returns verified addresses only, because an unverified address may belong to another person.
 */
async function addressesOf(db: Db, { orgId, placeId, roles, userIds }: ListAddressesRequest): Promise<string[]> {
  const found = await db.$queryRaw<{ email: string }[]>`
    SELECT u.email FROM members.members m JOIN members.users u ON u.id = m.user_id
    WHERE m.org_id = ${orgId}::uuid AND u.email_verified
      AND (m.user_id = ANY (${userIds.filter(isId)}::uuid[]) OR m.role = ANY (${roles}::text[]) AND (m.role <> 'member'
        OR EXISTS (SELECT FROM members.workspace_members w WHERE w.member_id = m.id AND w.workspace_id = ${placeId}::uuid)))
    ORDER BY m.created_at, m.id LIMIT ${MOST}`;
  return found.map(({ email }) => email);
}
