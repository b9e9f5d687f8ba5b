import { type Browser } from '@drawbridge/proto/drawbridge/members/v1/sessions';
import { type Prisma } from '../gen/prisma/client.js';
import { type Auth, isPasswordAccount, wrongCredentials } from './auth.js';

/** Of one user at a time: beyond it the oldest end. */
const MAX_SESSIONS = 100;

interface Who {
  userId: string;
  /** Of the password that opened it, when one did: that must be the user's still. */
  passwordHash?: string;
  browser?: Browser;
}

/**
 * The one place where a session of a user's is made; its token is told to nobody else. It waits for whoever changes how the user
 * signs in, and they for it. Throws UNAUTHENTICATED when the password was changed or taken away since it was compared.
 */
export async function startSession(
  tx: Prisma.TransactionClient,
  auth: Auth,
  { userId, passwordHash, browser }: Who,
): Promise<string> {
  const times = await lockUser(tx, userId);
  const its = auth.within(tx);
  if (passwordHash !== undefined) {
    const hash = (await its.findAccounts(userId)).find(isPasswordAccount)?.password;
    if (hash !== passwordHash) throw wrongCredentials();
  }
  const home = await homeOf(tx, userId);
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

/** Where a new session acts: in the organization that the user joined first. */
async function homeOf(tx: Prisma.TransactionClient, userId: string): Promise<string | undefined> {
  const member = await tx.member.findFirst({ where: { userId }, orderBy: { createdAt: 'asc' } });
  return member?.orgId;
}

async function endOldest(tx: Prisma.TransactionClient, userId: string): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM members.sessions WHERE user_id = ${userId}::uuid AND id IN (
      SELECT id FROM members.sessions WHERE user_id = ${userId}::uuid ORDER BY created_at DESC, id DESC OFFSET ${MAX_SESSIONS})`;
}
