import { ApiError, notFound, quotaExceeded } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { requireMailable, type SentMails, toEmail } from '@drawbridge/mail';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type CreatedInvitation,
  type Invitation,
  type InvitationServiceDefinition,
  type InviteMemberRequest,
} from '@drawbridge/proto/drawbridge/members/v1/invitations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { acceptInvitation, newLinkToken } from './accept-invitation.js';
import { requireRoleWithin } from './authority.js';
import { type Invitation as Row, type Prisma } from './gen/prisma/client.js';
import { lockOrganization } from './membership.js';
import { limitsOf } from './plans.js';
import { actIn } from './sign-in/start-session.js';
import { type Parts } from './parts.js';

export const invitations = (parts: Parts): Implementation<InvitationServiceDefinition> => ({
  async listInvitations({ limit = PageDefaults.limit, offset = PageDefaults.offset }) {
    const { orgId } = caller();
    const rows = await parts.db.$queryRaw<Shown[]>`
      SELECT id, org_id AS "orgId", email, role, status, expires_at AS "expiresAt", created_at AS "createdAt"
      FROM members.invitations WHERE org_id = ${orgId}::uuid AND id IN (
        SELECT id FROM members.invitations
        WHERE org_id = ${orgId}::uuid AND status = 'pending' AND expires_at > now()
        ORDER BY expires_at DESC, id DESC LIMIT ${limit} OFFSET ${offset})
      ORDER BY expires_at DESC, id DESC`;
    return { invitations: rows.map(toInvitation) };
  },

  inviteMember: (wanted) => invite(parts, wanted),

  async cancelInvitation({ invitationId: id }) {
    await cancel(parts, id);
    return { deleted: true, id };
  },

  async acceptInvitation({ invitationId }) {
    const { orgId, sessionId, userId } = caller();
    const member = await acceptInvitation(parts, invitationId, userId);
    if (orgId === '' && sessionId) await actIn(parts.db, { id: sessionId, userId }, member.organizationId);
    return member;
  },
});

/** Creates an invitation. Throws DUPLICATE, QUOTA_EXCEEDED, FORBIDDEN and RATE_LIMITED. */
async function invite(
  { db, plans, outbox, mails }: Parts,
  { email: given, role = 'member' }: InviteMemberRequest,
): Promise<CreatedInvitation> {
  const { orgId, userId: inviterId, keyId: inviterKeyId } = caller();
  const email = toEmail(given);
  const handed = mails ? undefined : newLinkToken();
  const row = await db.$transaction(async (tx) => {
    const { plan } = await lockOrganization(tx, orgId);
    await requireRoleWithin(tx, { role });
    await requireNew(tx, orgId, email);
    await requireSeat(tx, orgId, limitsOf(plans, plan).members);
    if (mails) await requireMailable(tx, INVITED, { orgId, email });
    const tokenHashes = handed ? [handed.hash] : [];
    const data = { orgId, email, role, tokenHashes, inviterId, inviterKeyId };
    const invitation = await tx.invitation.create({ data });
    await mails?.announce(tx, invitation);
    await outbox.record(tx, { id: invitation.id, name: email, reason: `as ${role}` });
    return invitation;
  });
  return { invitation: toInvitation(row), token: handed?.token };
}

/** Cancels an invitation. Throws NOT_FOUND unless it is pending. */
async function cancel({ db, outbox }: Parts, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const [canceled] = await tx.$queryRaw<{ email: string }[]>`
      UPDATE members.invitations SET status = 'canceled'
      WHERE id = ${id}::uuid AND org_id = ${caller().orgId}::uuid AND status = 'pending' AND expires_at > now()
      RETURNING email`;
    if (!canceled) throw notFound('Invitation', id);
    await outbox.record(tx, { id, name: canceled.email });
  });
}

/**
 * Throws DUPLICATE if the email address belongs to a member or has a pending invitation. First marks an outdated invitation as expired, because it
 * would otherwise count as pending.
 */
async function requireNew(tx: Prisma.TransactionClient, orgId: string, email: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE members.invitations SET status = 'expired'
    WHERE org_id = ${orgId}::uuid AND email = ${email} AND status = 'pending' AND expires_at <= now()`;
  const pending = await tx.invitation.findFirst({ where: { orgId, email, status: 'pending' } });
  if (pending)
    throw new ApiError('DUPLICATE', `${email} has a pending invitation. Cancel it to send another invitation`);
  const user = await tx.user.findUnique({ where: { email } });
  const member = user && (await tx.member.findUnique({ where: { orgId_userId: { orgId, userId: user.id } } }));
  if (member) throw new ApiError('DUPLICATE', `${email} is already a member of the organization`);
}

type Shown = Omit<Row, 'tokenHashes' | 'inviterId' | 'inviterKeyId'>;

const toInvitation = (row: Shown): Invitation => ({ ...toWire(row), organizationId: row.orgId });

/**
 * Limits how many invitations are sent, because each sends an email if a mail server is configured. `pair` limits one organization and one address.
 */
const INVITED: SentMails = {
  table: 'members.invitations',
  bounds: { pair: 5, address: 20, organization: 500 },
};

/**
 * Throws QUOTA_EXCEEDED unless a seat of the plan is free. Members and open invitations each take a seat. The caller must have locked the
 * organization, so that concurrent calls cannot take the last seat.
 */
async function requireSeat(tx: Prisma.TransactionClient, orgId: string, limit: number | null): Promise<void> {
  if (limit === null) return;
  const members = await tx.total.findUnique({ where: { orgId_of: { orgId, of: 'members' } } });
  const taken = (members?.rows ?? 0) + (await openInvitations(tx, orgId, limit));
  if (taken >= limit) throw quotaExceeded('members, invited ones included', { limit, used: taken });
}

/** Counts open invitations up to `atMost`, because a higher number has no other effect. */
async function openInvitations(tx: Prisma.TransactionClient, orgId: string, atMost: number): Promise<number> {
  const [counted] = await tx.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM members.invitations
      WHERE org_id = ${orgId}::uuid AND status = 'pending' AND expires_at > now() LIMIT ${atMost}) open`;
  return counted?.count ?? 0;
}
