import { ApiError, invalid } from '@drawbridge/contracts';
import { type SignUpServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { type Implementation } from '@drawbridge/rpc';
import { acceptIn, acceptInvitation, findByToken, requireAcceptable } from '../accept-invitation.js';
import { type PrismaClient as Db, type Prisma, type User } from '../gen/prisma/client.js';
import { brandOf } from '../organizations.js';
import { nameProblem, passwordProblem, setPassword } from '../users.js';
import { requireSession } from './live-sessions.js';
import { actIn, startSession } from './start-session.js';
import { type Parts } from '../parts.js';

export const signUp = (parts: Parts): Implementation<SignUpServiceDefinition> => ({
  async showInvitation({ invitationToken }) {
    const { orgId, email } = await findOpen(parts.unscoped, invitationToken);
    const brand = await brandOf(parts.unscoped, orgId);
    return { email, organizationName: brand.name, brand };
  },

  async signUp({ invitationToken, name: given, newPassword, browser }) {
    const name = given.trim();
    requireSane(name, newPassword);
    const { id, orgId, email } = await findOpen(parts.unscoped, invitationToken);
    const { succeed } = await parts.attempts.begin(email, browser);
    const its = await parts.auth();
    const passwordHash = await its.password.hash(newPassword, { isKnown: true, network: browser?.network ?? '' });
    const token = await parts.unscoped.$transaction(async (tx) => {
      const user = await createInvited(tx, { email, name, passwordHash });
      await acceptIn(tx, parts.outbox, { id, orgId, user });
      return startSession(tx, its, { userId: user.id, passwordHash, browser });
    });
    await succeed();
    return { token };
  },

  async joinOrganization({ token, invitationToken }) {
    const session = await requireSession(parts.pool, token);
    const { id } = await findByToken(parts.unscoped, invitationToken);
    const { organizationId } = await acceptInvitation(parts, id, session.userId);
    await actIn(parts.unscoped, session, organizationId);
    return {};
  },
});

function requireSane(name: string, newPassword: string): void {
  const problems = { name: nameProblem(name), newPassword: passwordProblem(newPassword) };
  const found = Object.entries(problems).flatMap(([key, problem]) => (problem ? [[key, problem] as const] : []));
  if (found.length > 0) throw invalid(Object.fromEntries(found));
}

async function findOpen(unscoped: Db, token: string) {
  const found = await findByToken(unscoped, token);
  requireAcceptable(found, found.id, found.email);
  return found;
}

/**
 * Creates a user with an address that counts as unverified, because the inviter also knows the link if no mail server is configured. If the owner of
 * the address later signs in with an emailed link, this password is removed.
 */
async function createInvited(
  tx: Prisma.TransactionClient,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<User> {
  if (await tx.user.findUnique({ where: { email } }))
    throw new ApiError('DUPLICATE', `${email} has an account: sign in`);
  const user = await tx.user.create({ data: { email, name } });
  await setPassword(tx, user.id, passwordHash);
  return user;
}
