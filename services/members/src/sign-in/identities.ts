import { lock } from '@drawbridge/database';
import { toEmail } from '@drawbridge/mail';
import { type Prisma, type User } from '../gen/prisma/client.js';
import { type Identity } from './oidc-client.js';
import { NAME } from './problems.js';
import { proveEmail } from './prove-email.js';
import { refusal } from './refusal.js';

/**
 * Returns the user of an identity: the one who signed in with it before, or the one with its email if the provider has verified it. Otherwise creates
 * a user if there is an invitation for the email. Throws UNAUTHENTICATED, with the reason `unverified_email` or `no_account`.
 */
export async function userOf(
  tx: Prisma.TransactionClient,
  identity: Identity,
): Promise<{ user: User; passwordRemoved: boolean }> {
  // A second request of the same identity waits for the first.
  await lock(tx, `${identity.issuer} ${identity.subject}`);
  const key = { providerId: identity.issuer, accountId: identity.subject };
  const known = await tx.account.findUnique({ where: { providerId_accountId: key } });
  if (known) {
    return { user: await tx.user.findUniqueOrThrow({ where: { id: known.userId } }), passwordRemoved: false };
  }
  const email = emailOf(identity);
  if (!identity.isEmailVerified || !email) throw refusal('unverified_email');
  const user = (await tx.user.findUnique({ where: { email } })) ?? (await createInvited(tx, email, identity));
  await tx.account.create({ data: { ...key, userId: user.id } });
  return { user, passwordRemoved: await proveEmail(tx, user.id) };
}

async function createInvited(tx: Prisma.TransactionClient, email: string, { name, image }: Identity): Promise<User> {
  const [invitation] = await tx.$queryRaw<unknown[]>`
    SELECT FROM members.invitations WHERE email = ${email} AND status = 'pending' AND expires_at > now() LIMIT 1`;
  if (!invitation) throw refusal('no_account');
  const shown = [...(name ?? '').replace(/[\p{Cc}\p{Cs}]/gu, ' ').trim()].slice(0, NAME.max).join('');
  return tx.user.create({ data: { email, emailVerified: true, name: shown || email.split('@')[0]!, image } });
}

function emailOf({ email }: Identity): string | undefined {
  try {
    return email && toEmail(email);
  } catch {
    return undefined;
  }
}
