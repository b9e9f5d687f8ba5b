import { randomBytes } from 'node:crypto';
import { hashToken, newId, notFound } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { toEmail } from '@drawbridge/mail';
import { type SignInProviderServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_providers';
import { type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Prisma, type User } from '../gen/prisma/client.js';
import { NAME, proveEmail } from '../users.js';
import { type Identity, oidcClient, refusal } from './oidc-client.js';
import { startSession } from './start-session.js';
import { type Parts } from '../parts.js';

const SECRET_BYTES = 32;

export function signInProviders(needs: Parts): Implementation<SignInProviderServiceDefinition> {
  const { auth, attempts, unscoped: db, providers, baseUrl, send } = needs;
  const callbackOf = (name: string): string => `${baseUrl}/sign-in/with/${name}/back`;
  const clients = new Map(providers.map((one) => [one.name, oidcClient(one, callbackOf(one.name), send)]));
  const clientOf = (name: string) => clients.get(name) ?? refuse(name);
  return {
    async startSignIn({ provider, next }) {
      const secret = randomBytes(SECRET_BYTES).toString('base64url');
      const url = await clientOf(provider).start(secret);
      await storeStart(db, { secret, provider, next });
      return { url, secret };
    },

    async finishSignIn({ provider, secret, query, browser }) {
      const client = clientOf(provider);
      const next = await takeStart(db, { secret, provider });
      const identity = await client.finish(secret, new URL(`${callbackOf(provider)}?${query}`));
      const its = await auth();
      const { email, ...session } = await db.$transaction(async (tx) => {
        const { user, passwordRemoved } = await userOf(tx, identity);
        const token = await startSession(tx, its, { userId: user.id, browser });
        return { email: user.email, passwordRemoved, token };
      });
      await attempts.remember(email, browser);
      return { session, next };
    },
  };
}

interface Start {
  secret: string;
  provider: string;
}

async function storeStart(db: Db, { next, ...start }: Start & { next: string }): Promise<void> {
  await db.$executeRaw`
    INSERT INTO members.verifications (id, identifier, value, expires_at, updated_at)
    VALUES (${newId()}::uuid, ${identifierOf(start)}, ${next}, now() + interval '10 minutes', now())`;
}

/**
 * Uses up the stored start of a sign-in, and returns the path to which the browser continues. If several requests use the same secret, only one
 * succeeds. Throws UNAUTHENTICATED with the reason `over`.
 */
async function takeStart(db: Pick<Prisma.TransactionClient, '$queryRaw'>, start: Start): Promise<string> {
  const [taken] = await db.$queryRaw<{ value: string }[]>`
    DELETE FROM members.verifications
    WHERE identifier = ${identifierOf(start)} AND expires_at > now() RETURNING value`;
  if (!taken) throw refusal('over');
  return taken.value;
}

/** Returns the key of a started sign-in. It includes the provider, so that another provider cannot finish the sign-in. */
const identifierOf = ({ secret, provider }: Start): string => `sign-in-at:${provider}:${hashToken(secret)}`;

function refuse(name: string): never {
  throw notFound('Identity provider', name);
}

/**
 * Returns the user of an identity: the user who signed in with this identity before, otherwise the user with its email address if the provider has
 * verified the address. If no user exists, creates one if the address has an open invitation. Throws UNAUTHENTICATED with the reason
 * `unverified_email` or `no_account`.
 */
async function userOf(
  tx: Prisma.TransactionClient,
  identity: Identity,
): Promise<{ user: User; passwordRemoved: boolean }> {
  // Locks the identity, so that concurrent requests do not create two users.
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
