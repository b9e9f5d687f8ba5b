import { randomBytes } from 'node:crypto';
import { hashToken, newId, notFound } from '@drawbridge/contracts';
import { type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';

const TOKEN_BYTES = 32;

/** Creates a sign-in link for a user, for 15 minutes, and returns its token. Only the mail contains the token: the database stores its SHA-256. */
export async function storeLink(db: Pick<Db, '$executeRaw'>, userId: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.$executeRaw`
    INSERT INTO members.verifications (id, identifier, value, expires_at, updated_at)
    VALUES (${newId()}::uuid, ${identifierOf(token)}, ${userId}, now() + interval '15 minutes', now())`;
  return token;
}

/** Returns the email of the link's user. Throws NOT_FOUND if the link is unknown, used or expired. */
export async function showLink(db: Pick<Db, '$queryRaw'>, token: string): Promise<{ email: string }> {
  const [found] = await db.$queryRaw<{ email: string }[]>`
    SELECT u.email FROM members.verifications v JOIN members.users u ON u.id = v.value::uuid
    WHERE v.identifier = ${identifierOf(token)} AND v.expires_at > now()`;
  return found ?? refuse();
}

/** Uses up a link and returns its user's id; of concurrent calls one succeeds. Throws as `showLink` does. */
export async function takeLink(tx: Pick<Prisma.TransactionClient, '$queryRaw'>, token: string): Promise<string> {
  const [taken] = await tx.$queryRaw<{ value: string }[]>`
    DELETE FROM members.verifications
    WHERE identifier = ${identifierOf(token)} AND expires_at > now() RETURNING value`;
  return taken?.value ?? refuse();
}

const identifierOf = (token: string): string => `sign-in-link:${hashToken(token)}`;

/** The error omits the token, which may still be valid elsewhere. */
function refuse(): never {
  throw notFound('Link', 'to sign in');
}
