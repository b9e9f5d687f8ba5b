import { ApiError } from '@drawbridge/contracts';
import { type Authority, caller, isNoMore } from '@drawbridge/rpc';
import { type Prisma } from './gen/prisma/client.js';
import { permissionsOfRole } from './permissions-of-role.js';

type Tx = Pick<Prisma.TransactionClient, 'member' | 'apiKey'>;

/** What the caller has: as much as the person for whom it acts, as a key no more than the key's. Throws UNAUTHENTICATED once that one is removed. */
export async function ownAuthority(tx: Tx): Promise<Authority> {
  const { orgId, userId, keyId: id, permissions } = caller();
  const key =
    id === undefined ? null : await tx.apiKey.findFirst({ where: { id, orgId }, select: { expiresAt: true } });
  const role = await roleOf(tx, userId);
  if (role === undefined) throw new ApiError('UNAUTHENTICATED', 'The caller belongs to the organization no more');
  return { permissions, role, until: key?.expiresAt };
}

/** In the caller's organization; undefined: none. */
export async function roleOf(tx: Pick<Tx, 'member'>, userId: string): Promise<string | undefined> {
  const member = await tx.member.findUnique({ where: { orgId_userId: { orgId: caller().orgId, userId } } });
  return member?.role;
}

/**
 * May the caller give a person this role, in place of `before`? A lower one hands nothing out, and to make members is what
 * `members.write` is for. Throws FORBIDDEN.
 */
export async function requireRoleWithin(tx: Tx, role: string, before?: string): Promise<void> {
  if (role === 'member') return;
  const handed = ofRole(role);
  if (before !== undefined && isNoMore(handed, ofRole(before))) return;
  if (isNoMore(handed, await ownAuthority(tx))) return;
  throw new ApiError('FORBIDDEN', `Who gives the role ${role} must have all that it allows`);
}

const ofRole = (role: string): Authority => ({ permissions: permissionsOfRole(role), role });
