import { randomBytes } from 'node:crypto';
import { hashToken, newId, notFound } from '@drawbridge/contracts';
import { type Prisma, type PrismaClient as Db } from '../gen/prisma/client.js';

const TOKEN_BYTES = 32;

/** A new way in for a user, for 15 minutes. The token is told to nobody but the mail: its SHA-256 is stored. */
export async function storeLink(db: Pick<Db, '$executeRaw'>, userId: string): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await db.$executeRaw`
    INSERT INTO members.verifications (id, identifier, value, expires_at, updated_at)
    VALUES (${newId()}::uuid, ${identifierOf(token)}, ${userId}, now() + interval '15 minutes', now())`;
  return token;
}

/** Of the user whom it signs in. Throws NOT_FOUND when it is unknown, used or over. */
export async function showLink(db: Pick<Db, '$queryRaw'>, token: string): Promise<{ email: string }> {
  const [found] = await db.$queryRaw<{ email: string }[]>`
    SELECT u.email FROM members.verifications v JOIN members.users u ON u.id = v.value::uuid
    WHERE v.identifier = ${identifierOf(token)} AND v.expires_at > now()`;
  return found ?? refuse();
}

/** Uses it up and returns whose it was: of many at once one succeeds. Throws as `showLink` does. */
export async function takeLink(tx: Pick<Prisma.TransactionClient, '$queryRaw'>, token: string): Promise<string> {
  const [taken] = await tx.$queryRaw<{ value: string }[]>`
    DELETE FROM members.verifications
    WHERE identifier = ${identifierOf(token)} AND expires_at > now() RETURNING value`;
  return taken?.value ?? refuse();
}

const identifierOf = (token: string): string => `sign-in-link:${hashToken(token)}`;

/** Without the token: it may work still, for somebody else. */
function refuse(): never {
  throw notFound('Link', 'to sign in');
}
