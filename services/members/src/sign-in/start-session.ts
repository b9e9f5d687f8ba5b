import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Prisma } from '../gen/prisma/client.js';
import { type Auth, isPasswordAccount, wrongCredentials } from './auth.js';

/** Of one user at a time: beyond it the oldest end. */
const MAX_SESSIONS = 100;

interface Who {
  userId: string;
  /** Of the password that opened it, when one did: that must be the user's still. */
  passwordHash?: string;
  /** Where it acts, if the user belongs there; else where the user acted last, or joined first. */
  activeOrgId?: string | null;
  browser?: Browser;
}

/**
 * The one place where a session of a user's is made; its token is told to nobody else. It waits for whoever changes how the user
 * signs in, and they for it. Throws UNAUTHENTICATED when the password was changed or taken away since it was compared.
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
  const { token } = await its.createSession(userId, false, { ...from, ...times, activeOrgId: home }, true);
  await endOldest(tx, userId);
  return token;
}

interface Times {
  createdAt: Date;
  updatedAt: Date;
  expiresAt: Date;
}

/**
 * Held until the transaction ends: of those who start sessions and those who end them, one goes after the other. Returns from when
 * till when a new one holds, by the database's clock.
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

async function endOldest(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM members.sessions WHERE user_id = ${userId}::uuid AND id IN (
      SELECT id FROM members.sessions WHERE user_id = ${userId}::uuid ORDER BY created_at DESC, id DESC OFFSET ${MAX_SESSIONS})`;
}
