import { ApiError, invalid, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import {
  type Account,
  type AccountServiceDefinition,
  type ChangePasswordRequest,
  type NewSession,
} from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Implementation } from '@drawbridge/rpc';
import { brandOf } from '../branding/brand-of.js';
import { setPassword } from '../create-user.js';
import { type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Attempts } from './attempts.js';
import { type Auth, isPasswordAccount, requireSession } from './auth.js';
import { nameProblem, passwordProblem } from './problems.js';
import { noSuchSession } from './session-verification.js';
import { lockUser, startSession } from './start-session.js';

const FRESH_MS = 15 * 60_000;

interface Needs {
  auth(): Promise<Auth>;
  attempts: Attempts;
  /** A person's memberships are of any organization. */
  unscoped: Db;
}

export const account = ({ auth, attempts, unscoped: db }: Needs): Implementation<AccountServiceDefinition> => ({
  getAccount: ({ token }) => getAccount(token, { auth, unscoped: db }),

  async renameUser({ token, name: given }) {
    const its = await auth();
    const { user } = await requireSession(its, token);
    const name = given.trim();
    const problem = nameProblem(name);
    if (problem) throw invalid({ name: problem });
    return db.user.update({ where: { id: user.id }, data: { name } });
  },

  changePassword: (wanted) => changePassword(wanted, { auth, attempts, unscoped: db }),

  async endSession({ token, sessionId }) {
    const { user, session } = await requireSession(await auth(), token);
    const which = sessionId === undefined ? { id: { not: session.id } } : { id: sessionId };
    const { count } = await db.session.deleteMany({ where: { userId: user.id, ...which } });
    if (count === 0 && sessionId !== undefined) throw notFound('Session', sessionId);
    return {};
  },

  async switchOrganization({ token, orgId }) {
    const { user, session } = await requireSession(await auth(), token);
    const member = await db.member.findFirst({ where: { orgId, userId: user.id } });
    if (!member) throw notFound('Organization', orgId);
    await db.session.updateMany({ where: { id: session.id }, data: { activeOrgId: orgId } });
    return {};
  },
});

async function getAccount(token: string, { auth, unscoped: db }: Pick<Needs, 'auth' | 'unscoped'>): Promise<Account> {
  const its = await auth();
  const { user, session } = await requireSession(its, token);
  const [ways, sessions, memberships] = await Promise.all([
    its.internalAdapter.findAccounts(user.id),
    db.session.findMany({
      where: { userId: user.id, expiresAt: { gt: new Date() } },
      orderBy: { createdAt: 'desc' },
    }),
    membershipsOf(db, user.id),
  ]);
  const activeOrgId = sessions.find(({ id }) => id === session.id)?.activeOrgId;
  const active = memberships.find(({ orgId }) => orgId === activeOrgId);
  return {
    user,
    brand: active && (await brandOf(db, active.orgId)),
    hasPassword: ways.some(isPasswordAccount),
    memberships: memberships.map((one) => ({ ...one, isActive: one.orgId === activeOrgId })),
    sessions: sessions.map(({ ipAddress, userAgent, ...row }) => ({
      ...toWire(row),
      isCurrent: row.id === session.id,
      address: ipAddress ?? '',
      userAgent: userAgent ?? '',
    })),
  };
}

async function changePassword(
  { token: asking, currentPassword, newPassword, browser }: ChangePasswordRequest,
  { auth, attempts, unscoped: db }: Needs,
): Promise<NewSession> {
  const its = await auth();
  const { user, session } = await requireSession(its, asking);
  const problem = passwordProblem(newPassword);
  if (problem) throw invalid({ newPassword: problem });
  const hash = (await its.internalAdapter.findAccounts(user.id)).find(isPasswordAccount)?.password;
  if (hash) {
    const succeeded = await attempts.begin(user.email, browser?.network ?? '');
    if (!(await its.password.verify({ hash, password: currentPassword })))
      throw invalid({ currentPassword: 'is not the password' });
    await succeeded();
  } else requireFresh(session);
  const passwordHash = await its.password.hash(newPassword);
  const token = await db.$transaction(async (tx) => {
    await endAllSessions(tx, { userId: user.id, by: session.id });
    await setPassword(tx, user.id, passwordHash);
    return startSession(tx, its, { userId: user.id, browser });
  });
  return { token };
}

/** Throws UNAUTHENTICATED when the one that wants it has ended meanwhile: then another has changed the password. */
async function endAllSessions(tx: Prisma.TransactionClient, { userId, by }: { userId: string; by: string }) {
  await lockUser(tx, userId);
  if (!(await tx.session.findUnique({ where: { id: by } }))) throw noSuchSession();
  await tx.session.deleteMany({ where: { userId } });
}

/** Who finds a browser open should not be able to stay for good. */
function requireFresh({ createdAt }: { createdAt: Date }): void {
  if (createdAt.getTime() + FRESH_MS > Date.now()) return;
  throw new ApiError('FORBIDDEN', 'The session is too old for that: sign in again', {
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
