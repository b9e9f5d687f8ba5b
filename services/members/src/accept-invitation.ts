import { randomBytes } from 'node:crypto';
import { ApiError, hashToken, notFound } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { type Member } from '@drawbridge/proto/drawbridge/members/v1/members';
import { requireInviter } from './authority.js';
import { type PrismaClient as Db, type Prisma, type Member as Row } from './gen/prisma/client.js';
import { lockOrganization, revokeAccess } from './membership.js';
import { toMember } from './organization-members.js';
import { type Parts } from './parts.js';

interface Acceptance {
  /** The id of the invitation. */
  id: string;
  orgId: string;
  user: { id: string; email: string };
}

/**
 * Makes a user a member of the organization that invited their email address. Throws NOT_FOUND if the invitation does not exist, was accepted or
 * canceled; FORBIDDEN if it is for another address or its sender may no longer grant its role; EXPIRED; DUPLICATE if the user is already a member.
 */
export async function acceptInvitation({ db, unscoped, outbox }: Parts, id: string, userId: string): Promise<Member> {
  const owned = await unscoped.invitation.findUnique({ where: { id }, select: { orgId: true } });
  if (!owned) throw notFound('Invitation', id);
  const user = await db.user.findUniqueOrThrow({ where: { id: userId } });
  return toMember(db, await db.$transaction((tx) => acceptIn(tx, outbox, { id, orgId: owned.orgId, user })));
}

/**
 * Accepts an invitation within a transaction. Locks the organization. To avoid a deadlock, the caller must not hold a lock that a transaction which
 * has locked the organization may wait for.
 */
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
    throw new ApiError('DUPLICATE', `${user.email} is already a member of the organization`);
  await requireInviter(tx, { id, role, orgId, userId: invitation?.inviterId, keyId: invitation?.inviterKeyId });
  await tx.invitation.update({ where: { id, orgId }, data: { status: 'accepted' } });
  await revokeAccess(tx, key); // Prevents keys and sessions of an earlier membership from working again.
  // Records the entry in the audit log of the organization that the user joins, with the address of the user as the name, because the API key of the
  // caller may belong to another organization.
  await outbox.record(tx, { id, name: user.email, reason: `as ${role}` }, key);
  return tx.member.create({ data: { ...key, role } });
}

interface SentInvitation extends FoundInvitation {
  inviterId: string | null;
  inviterKeyId: string | null;
}

/** Locks the invitation, so that it cannot be canceled before the transaction ends. */
async function findInvitation(
  tx: Prisma.TransactionClient,
  { id, orgId }: Pick<Acceptance, 'id' | 'orgId'>,
): Promise<SentInvitation | undefined> {
  const [found] = await tx.$queryRaw<SentInvitation[]>`
    SELECT email, role, status, expires_at <= now() AS "isOver", inviter_id AS "inviterId", inviter_key_id AS "inviterKeyId"
    FROM members.invitations WHERE id = ${id}::uuid AND org_id = ${orgId}::uuid FOR UPDATE`;
  return found;
}

const TOKEN_BYTES = 32;

interface LinkToken {
  /** The token, which is sent only in the link and is not stored. */
  token: string;
  /** The hash to store. */
  hash: string;
}

/** Creates the token of an invitation link. Each token of an invitation works independently: a user who received two emails may use either link. */
export function newLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

interface FoundByToken extends FoundInvitation {
  id: string;
  orgId: string;
}

/** Returns the invitation of a link, in any state. Throws NOT_FOUND. The error does not contain the token. */
export async function findByToken(unscoped: Pick<Db, '$queryRaw'>, token: string): Promise<FoundByToken> {
  const [found] = await unscoped.$queryRaw<FoundByToken[]>`
    SELECT id, org_id AS "orgId", email, role, status, expires_at <= now() AS "isOver"
    FROM members.invitations WHERE token_hashes @> ARRAY[${hashToken(token)}]`;
  if (!found) throw notFound('Invitation', 'of this link');
  return found;
}

export interface FoundInvitation {
  email: string;
  role: string;
  status: string;
  /** True if the invitation has expired, by the clock of the database. */
  isOver: boolean;
}

/** Throws NOT_FOUND, FORBIDDEN or EXPIRED unless the user with this email address may accept the invitation. */
export function requireAcceptable(invitation: FoundInvitation | undefined, id: string, email: string): FoundInvitation {
  if (!invitation || !['pending', 'expired'].includes(invitation.status)) throw notFound('Invitation', id);
  if (invitation.email !== email) {
    const remedy = 'Sign in with the invited address, or use an API key of the user with that address';
    throw new ApiError('FORBIDDEN', `Invitation ${id} is not for ${email}, the address of this user. ${remedy}`);
  }
  if (invitation.isOver || invitation.status === 'expired') {
    throw new ApiError('EXPIRED', `Invitation ${id} has expired; ask for a new one`);
  }
  return invitation;
}
