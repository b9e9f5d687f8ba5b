import { ApiError, invalid, notFound } from '@drawbridge/contracts';
import {
  type Account,
  type AccountServiceDefinition,
  type ChangePasswordRequest,
  type GetAccountRequest,
} from '@drawbridge/proto/drawbridge/members/v1/accounts';
import { type NewSession } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Prisma } from '../gen/prisma/client.js';
import { brandOf } from '../organizations.js';
import { nameProblem, passwordProblem, setPassword } from '../users.js';
import { isPasswordAccount } from './auth.js';
import { listSessions, type LiveSession, noSuchSession, requireSession } from './live-sessions.js';
import { actIn, lockUser, startSession } from './start-session.js';
import { type Parts } from '../parts.js';

export const account = (parts: Parts): Implementation<AccountServiceDefinition> => ({
  getAccount: (wanted) => getAccount(wanted, parts),

  async renameUser({ token, name: given }) {
    const { userId } = await requireSession(parts.pool, token);
    const name = given.trim();
    const problem = nameProblem(name);
    if (problem) throw invalid({ name: problem });
    return parts.unscoped.user.update({ where: { id: userId }, data: { name } });
  },

  changePassword: (wanted) => changePassword(wanted, parts),

  async endSession({ token, sessionId }) {
    const { id, userId } = await requireSession(parts.pool, token);
    const which = sessionId === undefined ? { id: { not: id } } : { id: sessionId };
    const { count } = await parts.unscoped.session.deleteMany({ where: { userId, ...which } });
    if (count === 0 && sessionId !== undefined) throw notFound('Session', sessionId);
    return {};
  },

  async switchOrganization({ token, orgId }) {
    const { id, userId } = await requireSession(parts.pool, token);
    const member = await parts.unscoped.member.findFirst({ where: { orgId, userId } });
    if (!member) throw notFound('Organization', orgId);
    await actIn(parts.unscoped, { id, userId }, orgId);
    return {};
  },
});

async function getAccount(
  { token, sessionsPage }: GetAccountRequest,
  { auth, unscoped: db, pool }: Parts,
): Promise<Account> {
  const [its, session] = await Promise.all([auth(), requireSession(pool, token)]);
  const { userId, email, isEmailProven, name, activeOrgId } = session;
  const [ways, sessions, memberships] = await Promise.all([
    its.internalAdapter.findAccounts(userId),
    listSessions(pool, session, sessionsPage),
    membershipsOf(db, userId),
  ]);
  const active = memberships.find(({ orgId }) => orgId === activeOrgId);
  return {
    user: { id: userId, email, name },
    brand: active && (await brandOf(db, active.orgId)),
    hasPassword: ways.some(isPasswordAccount),
    isEmailProven,
    memberships: memberships.map((one) => ({ ...one, isActive: one.orgId === activeOrgId })),
    ...sessions,
  };
}

async function changePassword(
  { token: asking, currentPassword, newPassword, browser }: ChangePasswordRequest,
  { auth, attempts, unscoped: db, pool }: Parts,
): Promise<NewSession> {
  const [its, session] = await Promise.all([auth(), requireSession(pool, asking)]);
  const { userId, email } = session;
  const problem = passwordProblem(newPassword);
  if (problem) throw invalid({ newPassword: problem });
  const hash = (await its.internalAdapter.findAccounts(userId)).find(isPasswordAccount)?.password;
  const who = { isKnown: true, network: browser?.network ?? '' };
  if (hash) {
    const { succeed } = await attempts.begin(email, browser);
    if (!(await its.password.verify({ hash, password: currentPassword }, who)))
      throw invalid({ currentPassword: 'is not the current password' });
    await succeed();
  } else requireFresh(session);
  const passwordHash = await its.password.hash(newPassword, who);
  const token = await db.$transaction(async (tx) => {
    await endAllSessions(tx, session);
    await setPassword(tx, userId, passwordHash);
    return startSession(tx, its, { userId, activeOrgId: session.activeOrgId, browser });
  });
  return { token };
}

/**
 * Deletes all sessions of a user. Throws UNAUTHENTICATED if the session of the caller no longer exists, because a concurrent request changed the
 * password.
 */
async function endAllSessions(tx: Prisma.TransactionClient, { id, userId }: LiveSession): Promise<void> {
  await lockUser(tx, userId);
  if (!(await tx.session.findUnique({ where: { id } }))) throw noSuchSession();
  await tx.session.deleteMany({ where: { userId } });
}

/**
 * Throws FORBIDDEN if the user did not sign in recently. Otherwise a person who finds an unlocked browser could set a password and take over the
 * account.
 */
function requireFresh({ isFresh }: LiveSession): void {
  if (isFresh) return;
  throw new ApiError('FORBIDDEN', 'This needs a recent sign-in. Sign in again', {
    details: { reason: 'old_session' },
  });
}

async function membershipsOf(db: Db, userId: string) {
  const members = await db.member.findMany({ where: { userId }, orderBy: { createdAt: 'asc' } });
  const organizations = await db.organization.findMany({ where: { id: { in: members.map(({ orgId }) => orgId) } } });
  return members.map(({ orgId, role }) => ({
    orgId,
    role,
    name: organizations.find(({ id }) => id === orgId)?.name ?? '',
  }));
}
