import { ApiError, invalid } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { type SignUpServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_up';
import { type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { acceptIn, acceptInvitation } from '../accept-invitation.js';
import { brandOf } from '../branding/brand-of.js';
import { setPassword } from '../create-user.js';
import { type Prisma, type PrismaClient as Db, type User } from '../gen/prisma/client.js';
import { findByToken } from '../invitation-tokens.js';
import { requireAcceptable } from '../require-acceptable.js';
import { actIn } from './act-in.js';
import { type Attempts } from './attempts.js';
import { type Auth } from './auth.js';
import { requireSession } from './live-session.js';
import { nameProblem, passwordProblem } from './problems.js';
import { startSession } from './start-session.js';

interface Needs {
  auth(): Promise<Auth>;
  attempts: Attempts;
  db: Db;
  /** Finds the organization of an invitation, which is identified by its token alone. */
  unscoped: Db;
  pool: Pool;
  outbox: Outbox;
}

export const signUp = ({
  auth,
  attempts,
  db,
  unscoped,
  pool,
  outbox,
}: Needs): Implementation<SignUpServiceDefinition> => ({
  async showInvitation({ invitationToken }) {
    const { orgId, email } = await findOpen(unscoped, invitationToken);
    const brand = await brandOf(unscoped, orgId);
    return { email, organizationName: brand.name, brand };
  },

  async signUp({ invitationToken, name: given, newPassword, browser }) {
    const name = given.trim();
    requireSane(name, newPassword);
    const { id, orgId, email } = await findOpen(unscoped, invitationToken);
    const { succeed } = await attempts.begin(email, browser);
    const its = await auth();
    const passwordHash = await its.password.hash(newPassword, { isKnown: true, network: browser?.network ?? '' });
    const token = await unscoped.$transaction(async (tx) => {
      const user = await createInvited(tx, { email, name, passwordHash });
      await acceptIn(tx, outbox, { id, orgId, user });
      return startSession(tx, its, { userId: user.id, passwordHash, browser });
    });
    await succeed();
    return { token };
  },

  async joinOrganization({ token, invitationToken }) {
    const session = await requireSession(pool, token);
    const { id } = await findByToken(unscoped, invitationToken);
    const { organizationId } = await acceptInvitation({ db, unscoped, outbox }, id, session.userId);
    await actIn(unscoped, session, organizationId);
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
 * Creates a user with an unverified address: without mail, the inviter knows the link, too. A link that is later mailed to the address removes this
 * password.
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
