import { type PrismaClient as Db, type User } from './gen/prisma/client.js';

export interface NewUser {
  email: string;
  name?: string;
  /** Null: the user signs in only by an emailed link or an identity provider. */
  passwordHash: string | null;
}

/** Creates a user for an operator, so the address counts as verified. */
export async function createUser(
  db: Pick<Db, 'user' | 'account'>,
  { email, name, passwordHash }: NewUser,
): Promise<User> {
  const data = { email, name: name ?? email.split('@')[0] ?? email, emailVerified: true };
  const user = await db.user.create({ data });
  if (passwordHash) await setPassword(db, user.id, passwordHash);
  return user;
}

/** Stores a password in the account where better-auth looks for it. */
export async function setPassword(db: Pick<Db, 'account'>, userId: string, passwordHash: string): Promise<void> {
  const key = { providerId: 'credential', accountId: userId };
  await db.account.upsert({
    where: { providerId_accountId: key },
    create: { ...key, userId, password: passwordHash },
    update: { password: passwordHash },
  });
}
