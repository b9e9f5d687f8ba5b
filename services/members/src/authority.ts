import { ApiError } from '@drawbridge/contracts';
import { Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Authority, caller, isGranted, isNoMore } from '@drawbridge/rpc';
import { type Prisma } from './gen/prisma/client.js';
import { permissionsOfKey, permissionsOfRole } from './permissions.js';

type Tx = Pick<Prisma.TransactionClient, 'member' | '$queryRaw'>;

/** A user of an organization, or an API key that acts for a user. */
interface Actor {
  orgId: string;
  userId: string;
  keyId?: string | null;
}

/**
 * Returns the current permissions of the caller. A key has at most the permissions of its user. If the caller of this function has locked the
 * organization, the result stays valid until the transaction ends. Throws UNAUTHENTICATED if the user was removed, or the key was revoked or has
 * expired.
 */
export async function ownAuthority(tx: Tx): Promise<Authority> {
  const own = await authorityOf(tx, caller());
  if (!own) throw new ApiError('UNAUTHENTICATED', 'The caller no longer belongs to the organization');
  return own;
}

/** Returns the current permissions of a user or a key, or undefined if the user is no longer a member or the key is no longer valid. */
async function authorityOf(tx: Tx, { orgId, userId, keyId }: Actor): Promise<Authority | undefined> {
  const role = await roleOf(tx, { orgId, userId });
  if (role === undefined) return undefined;
  if (!keyId) return { permissions: permissionsOfRole(role), role };
  const [key] = await tx.$queryRaw<{ permissions: Partial<Permissions> | null; expiresAt: Date | null }[]>`
    SELECT permissions, expires_at AS "expiresAt" FROM members.api_keys
    WHERE id = ${keyId}::uuid AND org_id = ${orgId}::uuid AND user_id = ${userId}::uuid
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`;
  if (!key) return undefined;
  const permissions = permissionsOfKey(Permissions.fromPartial(key.permissions ?? {}), role);
  return { permissions, role, until: key.expiresAt };
}

/** Returns the role of a user in an organization, or undefined if the user is not a member. */
export async function roleOf(
  tx: Pick<Tx, 'member'>,
  { orgId, userId }: Pick<Actor, 'orgId' | 'userId'>,
): Promise<string | undefined> {
  const member = await tx.member.findUnique({ where: { orgId_userId: { orgId, userId } } });
  return member?.role;
}

/**
 * Throws FORBIDDEN unless the caller may change a user's role from `before` to `role`, in one workspace or in the organization. Lowering a role is
 * always allowed.
 */
export async function requireRoleWithin(
  tx: Tx,
  { role, before, workspaceId }: { role: string; before?: string; workspaceId?: string },
): Promise<void> {
  const given = ofRole(role, workspaceId);
  if (before !== undefined && isNoMore(given, ofRole(before))) return;
  if (isNoMore(given, await ownAuthority(tx))) return;
  throw new ApiError('FORBIDDEN', `You cannot grant the role ${role}: it has more permissions than your own`);
}

/** Returns whether a change from `before` to `role` removes permissions. */
export const isLower = (role: string, before: string): boolean => !isNoMore(ofRole(before), ofRole(role));

interface Given {
  /** The id of the invitation. */
  id: string;
  role: string;
  orgId: string;
  userId?: string | null;
  keyId?: string | null;
}

/** Throws FORBIDDEN unless the sender of an invitation may still send it. */
export async function requireInviter(tx: Tx, { id, role, orgId, userId, keyId }: Given): Promise<void> {
  const own = userId ? await authorityOf(tx, { orgId, userId, keyId }) : undefined;
  if (own && isGranted('members.write', own.permissions) && isNoMore(ofRole(role), own)) return;
  const message = `The sender of invitation ${id} may no longer grant the role ${role}. Ask for a new invitation.`;
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'sender_may_not' } });
}

/**
 * Returns the permissions of a role. Adds the permission to decide approvals to every role, because a policy may select any role as its approvers.
 */
function ofRole(role: string, workspaceId?: string): Authority {
  const permissions = { ...permissionsOfRole(role), approvals: { decide: true } };
  const place = workspaceId === undefined ? {} : { scope: 'workspace', workspaceIds: [workspaceId] };
  return { permissions: { ...permissions, ...place }, role };
}
