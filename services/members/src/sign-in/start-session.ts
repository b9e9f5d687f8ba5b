import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type PrismaClient as Db, type Prisma } from '../gen/prisma/client.js';
import { type Auth, isPasswordAccount, wrongCredentials } from './auth.js';
import { type LiveSession } from './live-sessions.js';

/** Maximum number of concurrent sessions of one user. A further session signs out the oldest. */
const MAX_SESSIONS = 100;

interface Who {
  userId: string;
  /** The hash of the password that was checked, if any. The session is created only if the user still has this hash. */
  passwordHash?: string;
  /**
   * The preferred organization of the session. If the user is not a member of it, the session starts in the organization that the user used last, or
   * else joined first.
   */
  activeOrgId?: string | null;
  browser?: Browser;
}

/**
 * Creates a session and returns its token. No other function creates sessions. Locks the user, so that a concurrent change of the password cannot
 * miss the new session. Throws UNAUTHENTICATED if the password was changed or removed after it was checked.
 */
export async function startSession(
  tx: Prisma.TransactionClient,
  auth: Auth,
  { userId, passwordHash, activeOrgId, browser }: Who,
): Promise<string> {
  const times = await lockUser(tx, userId);
  const its = auth.within(tx);
  if (passwordHash !== undefined) {
    const hash = (await its.findAccounts(userId)).find(isPasswordAccount)?.password;
    if (hash !== passwordHash) throw wrongCredentials();
  }
  const home = await homeOf(tx, userId, activeOrgId);
  const from = { ipAddress: browser?.address ?? '', userAgent: browser?.userAgent ?? '' };
  const { id, token } = await its.createSession(userId, false, { ...from, ...times, activeOrgId: home }, true);
  await endOldest(tx, { userId, besides: id });
  return token;
}

interface Times {
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

/**
 * Locks a user until the transaction ends, so that sessions of the user are created and deleted one after the other. Returns the times of a new
 * session, by the clock of the database.
 */
export async function lockUser(tx: Prisma.TransactionClient, userId: string): Promise<Times | undefined> {
  const [times] = await tx.$queryRaw<Times[]>`
    SELECT now() AS "createdAt", now() AS "updatedAt", now() + interval '7 days' AS "expiresAt"
    FROM members.users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  return times;
}

async function homeOf(
  tx: Prisma.TransactionClient,
  userId: string,
  wanted: string | null = null,
): Promise<string | undefined> {
  const [home] = await tx.$queryRaw<{ orgId: string }[]>`
    SELECT m.org_id AS "orgId" FROM members.members m JOIN members.users u ON u.id = m.user_id WHERE u.id = ${userId}::uuid
    ORDER BY m.org_id = ${wanted}::uuid DESC NULLS LAST, m.org_id = u.last_org_id DESC NULLS LAST, m.created_at LIMIT 1`;
  return home?.orgId;
}

/**
 * Ends the oldest sessions of a user above the limit, but not the new session: its `created_at` is the start of the transaction, before its wait for
 * the lock, and other sessions may have started meanwhile.
 */
async function endOldest(
  tx: Prisma.TransactionClient,
  { userId, besides }: { userId: string; besides: string },
): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM members.sessions WHERE user_id = ${userId}::uuid AND id IN (
      SELECT id FROM members.sessions WHERE user_id = ${userId}::uuid
      ORDER BY id = ${besides}::uuid DESC, created_at DESC, id DESC OFFSET ${MAX_SESSIONS})`;
}

/** Switches the session to an organization. Later sessions of the user also start in this organization. */
export async function actIn(db: Db, { id, userId }: Pick<LiveSession, 'id' | 'userId'>, orgId: string): Promise<void> {
  await db.$transaction([
    db.user.updateMany({ where: { id: userId }, data: { lastOrgId: orgId } }),
    db.session.updateMany({ where: { id }, data: { activeOrgId: orgId } }),
  ]);
}
