import { randomBytes } from 'node:crypto';
import { ApiError, hashToken, newId, notFound } from '@drawbridge/contracts';
import { toEmail } from '@drawbridge/mail';
import { type SignInLinkServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/sign_in_links';
import { type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Prisma } from '../gen/prisma/client.js';
import { proveEmail } from '../users.js';
import { startSession } from './start-session.js';
import { type Parts } from '../parts.js';

export const links = (parts: Parts): Implementation<SignInLinkServiceDefinition> => ({
  async sendSignInLink({ email: given, next, language, browser }) {
    if (!parts.mails) throw new ApiError('NOT_FOUND', 'Sign-in links need a mail server. Set SMTP_URL');
    const email = toEmail(given);
    await parts.askedLinks.begin(email, browser);
    // Does not read the user here, but in the job that sends the email, so that the response does not reveal whether the user exists.
    await parts.mails.mailLink({ email, next, language });
    return {};
  },

  showSignInLink: ({ token }) => showLink(parts.unscoped, token),

  async useSignInLink({ token, browser }) {
    const its = await parts.auth();
    const { email, ...session } = await parts.unscoped.$transaction(async (tx) => {
      const userId = await takeLink(tx, token);
      const passwordRemoved = await proveEmail(tx, userId);
      const { email } = await tx.user.findUniqueOrThrow({ where: { id: userId } });
      return { email, passwordRemoved, token: await startSession(tx, its, { userId, browser }) };
    });
    await parts.askedLinks.remember(email, browser);
    return session;
  },
});

const TOKEN_BYTES = 32;

/** Lifetime of a sign-in link, in minutes. */
export const LINK_MINUTES = 15;

/**
 * Creates a sign-in link for a user and returns its token. The token appears only in the email or on the terminal of the operator. The database
 * stores its SHA-256.
 */
export async function storeLink(db: Pick<Db, '$executeRaw'>, userId: string, minutes = LINK_MINUTES): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.$executeRaw`
    INSERT INTO members.verifications (id, identifier, value, expires_at, updated_at)
    VALUES (${newId()}::uuid, ${identifierOf(token)}, ${userId}, now() + make_interval(mins => ${minutes}::int), now())`;
  return token;
}

/** Returns the email address of the link's user. Throws NOT_FOUND if the link is unknown, used or expired. */
async function showLink(db: Pick<Db, '$queryRaw'>, token: string): Promise<{ email: string }> {
  const [found] = await db.$queryRaw<{ email: string }[]>`
    SELECT u.email FROM members.verifications v JOIN members.users u ON u.id = v.value::uuid
    WHERE v.identifier = ${identifierOf(token)} AND v.expires_at > now()`;
  return found ?? refuseLink();
}

/** Uses up a link and returns the id of its user. Only one of several concurrent calls succeeds. Throws the same errors as `showLink`. */
async function takeLink(tx: Pick<Prisma.TransactionClient, '$queryRaw'>, token: string): Promise<string> {
  const [taken] = await tx.$queryRaw<{ value: string }[]>`
    DELETE FROM members.verifications
    WHERE identifier = ${identifierOf(token)} AND expires_at > now() RETURNING value`;
  return taken?.value ?? refuseLink();
}

const identifierOf = (token: string): string => `sign-in-link:${hashToken(token)}`;

/** Throws NOT_FOUND. The error omits the token, because a token that is unknown here may still be valid elsewhere. */
function refuseLink(): never {
  throw notFound('Link', 'to sign in');
}
