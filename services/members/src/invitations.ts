import { ApiError, notFound, type Plans } from '@drawbridge/contracts';
import {
  type CreatedInvitation,
  type Invitation,
  type InvitationServiceDefinition,
  type InviteMemberRequest,
} from '@drawbridge/proto/drawbridge/members/v1/invitations';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { toWire } from '@drawbridge/database';
import { type Outbox, type RetentionRule } from '@drawbridge/events';
import { requireMailable, toEmail } from '@drawbridge/mail';
import { caller, type Implementation } from '@drawbridge/rpc';
import { acceptInvitation } from './accept-invitation.js';
import { type Invitation as Row, type Prisma, type PrismaClient as Db } from './gen/prisma/client.js';
import { requireRoleWithin } from './hand-out.js';
import { INVITED } from './invitation-bounds.js';
import { newLinkToken } from './invitation-tokens.js';
import { lockOrganization } from './lock-organization.js';
import { limitsOf } from './plans.js';
import { requireSeat } from './seats.js';
import { actIn } from './sign-in/act-in.js';

interface Parts {
  db: Db;
  /** Finds the organization of an invitation, which is accepted by its id alone. */
  unscoped: Db;
  plans: Plans;
  outbox: Outbox;
  /** Mails the link once the transaction commits. Undefined if no mail is configured: the inviter passes the link on. */
  announce?(tx: Prisma.TransactionClient, invitation: Row): Promise<void>;
}

export const invitations = ({
  db,
  unscoped,
  plans,
  outbox,
  announce,
}: Parts): Implementation<InvitationServiceDefinition> => ({
  async listInvitations({ limit = PageDefaults.limit, offset = PageDefaults.offset }) {
    const { orgId } = caller();
    const rows = await db.$queryRaw<Shown[]>`
      SELECT id, org_id AS "orgId", email, role, status, expires_at AS "expiresAt", created_at AS "createdAt"
      FROM members.invitations WHERE org_id = ${orgId}::uuid AND id IN (
        SELECT id FROM members.invitations
        WHERE org_id = ${orgId}::uuid AND status = 'pending' AND expires_at > now()
        ORDER BY expires_at DESC, id DESC LIMIT ${limit} OFFSET ${offset})
      ORDER BY expires_at DESC, id DESC`;
    return { invitations: rows.map(toInvitation) };
  },

  inviteMember: (wanted) => invite({ db, plans, outbox, announce }, wanted),

  async cancelInvitation({ invitationId: id }) {
    await cancel({ db, outbox }, id);
    return { deleted: true, id };
  },

  async acceptInvitation({ invitationId }) {
    const { orgId, sessionId, userId } = caller();
    const member = await acceptInvitation({ db, unscoped, outbox }, invitationId, userId);
    if (orgId === '' && sessionId) await actIn(db, { id: sessionId, userId }, member.organizationId);
    return member;
  },
});

/** Throws DUPLICATE, QUOTA_EXCEEDED, FORBIDDEN and RATE_LIMITED. */
async function invite(
  { db, plans, outbox, announce }: Omit<Parts, 'unscoped'>,
  { email: given, role = 'member' }: InviteMemberRequest,
): Promise<CreatedInvitation> {
  const { orgId, userId: inviterId, keyId: inviterKeyId } = caller();
  const email = toEmail(given);
  const handed = announce ? undefined : newLinkToken();
  const row = await db.$transaction(async (tx) => {
    const { plan } = await lockOrganization(tx, orgId);
    await requireRoleWithin(tx, { role });
    await requireNew(tx, orgId, email);
    await requireSeat(tx, orgId, limitsOf(plans, plan).members);
    if (announce) await requireMailable(tx, INVITED, { orgId, email });
    const tokenHashes = handed ? [handed.hash] : [];
    const data = { orgId, email, role, tokenHashes, inviterId, inviterKeyId };
    const invitation = await tx.invitation.create({ data });
    await announce?.(tx, invitation);
    await outbox.record(tx, { id: invitation.id, name: email, reason: `as ${role}` });
    return invitation;
  });
  return { invitation: toInvitation(row), token: handed?.token };
}

/** Throws NOT_FOUND unless the invitation is pending. */
async function cancel({ db, outbox }: Pick<Parts, 'db' | 'outbox'>, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const [canceled] = await tx.$queryRaw<{ email: string }[]>`
      UPDATE members.invitations SET status = 'canceled'
      WHERE id = ${id}::uuid AND org_id = ${caller().orgId}::uuid AND status = 'pending' AND expires_at > now()
      RETURNING email`;
    if (!canceled) throw notFound('Invitation', id);
    await outbox.record(tx, { id, name: canceled.email });
  });
}

/** Accepting an expired invitation returns EXPIRED for 30 days, then NOT_FOUND. */
export const OLD_INVITATIONS: RetentionRule = {
  table: 'members.invitations',
  key: 'id',
  oldest: 'expires_at',
  expired: "expires_at < now() - interval '30 days'",
};

/**
 * Throws DUPLICATE if the email belongs to a member or has a pending invitation. Marks an outdated invitation as expired, so that a new one is
 * possible.
 */
async function requireNew(tx: Prisma.TransactionClient, orgId: string, email: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE members.invitations SET status = 'expired'
    WHERE org_id = ${orgId}::uuid AND email = ${email} AND status = 'pending' AND expires_at <= now()`;
  const pending = await tx.invitation.findFirst({ where: { orgId, email, status: 'pending' } });
  if (pending) throw new ApiError('DUPLICATE', `${email} has a pending invitation`);
  const user = await tx.user.findUnique({ where: { email } });
  const member = user && (await tx.member.findUnique({ where: { orgId_userId: { orgId, userId: user.id } } }));
  if (member) throw new ApiError('DUPLICATE', `${email} is a member already`);
}

type Shown = Omit<Row, 'tokenHashes' | 'inviterId' | 'inviterKeyId'>;

const toInvitation = (row: Shown): Invitation => ({ ...toWire(row), organizationId: row.orgId });
