import { invalid, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import {
  type Account,
  type AccountServiceDefinition,
  type ChangePasswordRequest,
  type NewSession,
} from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { type Attempts } from './attempts.js';
import { type Auth, isPasswordAccount, requireSession, startSession } from './auth.js';
import { nameProblem, passwordProblem } from './problems.js';

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

  changePassword: (wanted) => changePassword(wanted, { auth, attempts }),

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
  return {
    user,
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
  { token, currentPassword, newPassword, browser }: ChangePasswordRequest,
  { auth, attempts }: Pick<Needs, 'auth' | 'attempts'>,
): Promise<NewSession> {
  const its = await auth();
  const { user } = await requireSession(its, token);
  const problem = passwordProblem(newPassword);
  if (problem) throw invalid({ newPassword: problem });
  const succeeded = await attempts.begin(user.email, browser?.network ?? '');
  const hash = (await its.internalAdapter.findAccounts(user.id)).find(isPasswordAccount)?.password;
  if (!hash || !(await its.password.verify({ hash, password: currentPassword }))) {
    throw invalid({ currentPassword: 'is not the password' });
  }
  await succeeded();
  await its.internalAdapter.updatePassword(user.id, await its.password.hash(newPassword));
  await its.internalAdapter.deleteUserSessions(user.id);
  return { token: await startSession(its, user.id, browser) };
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
