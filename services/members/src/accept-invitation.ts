import { ApiError, notFound } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { type Member } from '@drawbridge/proto/drawbridge/members/v1/members';
import { type Member as Row, type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { requireInviter } from './hand-out.js';
import { lockOrganization } from './lock-organization.js';
import { type Found, requireAcceptable } from './require-acceptable.js';
import { revokeAccess } from './revoke-access.js';
import { toMember } from './to-members.js';

interface Acceptance {
  /** Of the invitation. */
  id: string;
  orgId: string;
  user: { id: string; email: string };
}

/**
 * Makes a user a member by an invitation for their email. Fails with NOT_FOUND when it is not there, accepted or canceled, with
 * FORBIDDEN when it is for another email or its sender may no longer give its role, with EXPIRED, with DUPLICATE when the user is a member.
 */
export async function acceptInvitation(
  { db, unscoped, outbox }: { db: Db; unscoped: Db; outbox: Outbox },
  id: string,
  userId: string,
): Promise<Member> {
  const whose = await unscoped.invitation.findUnique({ where: { id }, select: { orgId: true } });
  if (!whose) throw notFound('Invitation', id);
  const user = await db.user.findUniqueOrThrow({ where: { id: userId } });
  return toMember(db, await db.$transaction((tx) => acceptIn(tx, outbox, { id, orgId: whose.orgId, user })));
}

/** Does the same within a transaction. It locks the organization: start with no lock that a holder of that one waits for. */
export async function acceptIn(
  tx: Prisma.TransactionClient,
  outbox: Outbox,
  { id, orgId, user }: Acceptance,
): Promise<Row> {
  await lockOrganization(tx, orgId);
  const invitation = await findInvitation(tx, { id, orgId });
  const { role } = requireAcceptable(invitation, id, user.email);
  const key = { orgId, userId: user.id };
  if (await tx.member.findUnique({ where: { orgId_userId: key } }))
    throw new ApiError('DUPLICATE', `${user.email} is a member already`);
  await requireInviter(tx, { id, role, orgId, userId: invitation?.inviterId, keyId: invitation?.inviterKeyId });
  await tx.invitation.update({ where: { id, orgId }, data: { status: 'accepted' } });
  await revokeAccess(tx, key); // of an earlier membership nothing comes back
  // In the log of the organization that is joined: by the person, as whose key this is, if it is one, belongs elsewhere.
  await outbox.record(tx, { id, name: user.email, reason: `as ${role}` }, key);
  return tx.member.create({ data: { ...key, role } });
}

interface Sent extends Found {
  inviterId: string | null;
  inviterKeyId: string | null;
}

/** Locks the invitation: no cancellation comes before the transaction ends. */
async function findInvitation(
  tx: Prisma.TransactionClient,
  { id, orgId }: Pick<Acceptance, 'id' | 'orgId'>,
): Promise<Sent | undefined> {
  const [found] = await tx.$queryRaw<Sent[]>`
    SELECT email, role, status, expires_at <= now() AS "isOver", inviter_id AS "inviterId", inviter_key_id AS "inviterKeyId"
    FROM members.invitations WHERE id = ${id}::uuid AND org_id = ${orgId}::uuid FOR UPDATE`;
  return found;
}
