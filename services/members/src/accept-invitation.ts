import { ApiError, notFound } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { type Member } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { lockOrganization } from './lock-organization.js';
import { type Found, requireAcceptable } from './require-acceptable.js';
import { revokeAccess } from './revoke-access.js';
import { toMember } from './to-members.js';

/**
 * Makes a user a member by an invitation for their email. Fails with NOT_FOUND when it is not there, accepted or canceled, with
 * FORBIDDEN when it is for another email, with EXPIRED, with DUPLICATE when the user is a member.
 */
export async function acceptInvitation(
  { db, unscoped, outbox }: { db: Db; unscoped: Db; outbox: Outbox },
  id: string,
  userId: string,
): Promise<Member> {
  const whose = await unscoped.invitation.findUnique({ where: { id }, select: { orgId: true } });
  if (!whose) throw notFound('Invitation', id);
  const { orgId } = whose;
  const user = await db.user.findUnique({ where: { id: userId } });
  const row = await db.$transaction(async (tx) => {
    await lockOrganization(tx, orgId);
    const { role } = requireAcceptable(await findInvitation(tx, id, orgId), id, user?.email);
    const known = await tx.member.findUnique({ where: { orgId_userId: { orgId, userId } } });
    if (known) throw new ApiError('DUPLICATE', `${user?.email} is a member already`);
    await tx.invitation.update({ where: { id, orgId }, data: { status: 'accepted' } });
    await revokeAccess(tx, { orgId, userId }); // of an earlier membership nothing comes back
    // In the log of the organization that is joined: by the person, as whose key this is, if it is one, belongs elsewhere.
    await outbox.record(tx, { id, name: user?.email, reason: `as ${role}` }, { orgId, userId });
    return tx.member.create({ data: { orgId, userId, role } });
  });
  return toMember(db, row);
}

/** Nobody cancels it before the transaction ends. */
async function findInvitation(tx: Prisma.TransactionClient, id: string, orgId: string): Promise<Found | undefined> {
  const [found] = await tx.$queryRaw<Found[]>`
    SELECT email, role, status, expires_at <= now() AS "isOver"
    FROM members.invitations WHERE id = ${id}::uuid AND org_id = ${orgId}::uuid FOR UPDATE`;
  return found;
}
