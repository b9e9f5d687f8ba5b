import { type PrismaClient as Db, type Prisma, type User } from './gen/prisma/client.js';

interface NewUser {
  email: string;
  name?: string;
  /** Null if the user signs in only by an emailed link or an identity provider. */
  passwordHash: string | null;
}

/** Creates a user on behalf of the operator, so the address counts as verified. */
export async function createUser(
  db: Pick<Db, 'user' | 'account'>,
  { email, name, passwordHash }: NewUser,
): Promise<User> {
  const data = { email, name: name ?? email.split('@')[0] ?? email, emailVerified: true };
  const user = await db.user.create({ data });
  if (passwordHash) await setPassword(db, user.id, passwordHash);
  return user;
}

/** Stores the hash of a password in the account row that better-auth reads. */
export async function setPassword(db: Pick<Db, 'account'>, userId: string, passwordHash: string): Promise<void> {
  const key = { providerId: 'credential', accountId: userId };
  await db.account.upsert({
    where: { providerId_accountId: key },
    create: { ...key, userId, password: passwordHash },
    update: { password: passwordHash },
  });
}

/**
 * Marks the address of a user as verified. If it was unverified, another person may have set the password, so the password and all sessions are
 * deleted. Returns true if a password was deleted.
 */
export async function proveEmail(tx: Prisma.TransactionClient, userId: string): Promise<boolean> {
  const { count } = await tx.user.updateMany({
    where: { id: userId, emailVerified: false },
    data: { emailVerified: true },
  });
  if (count === 0) return false;
  const removed = await tx.account.deleteMany({ where: { userId, providerId: 'credential' } });
  await tx.session.deleteMany({ where: { userId } });
  return removed.count > 0;
}

const PASSWORD = { min: 8, max: 200 };
export const NAME = { min: 1, max: 100 };

/** Returns the problem of a new password, or undefined. Only the length is checked, as NIST SP 800-63B requires. */
export const passwordProblem = (password: string): string | undefined => lengthProblem(password, PASSWORD);

/** Returns the problem of a user's trimmed name, or undefined. */
export const nameProblem = (name: string): string | undefined => lengthProblem(name, NAME);

function lengthProblem(text: string, { min, max }: typeof NAME): string | undefined {
  const { length } = [...text];
  return length < min || length > max ? `must have ${min} to ${max} characters` : undefined;
}
