import { randomBytes } from 'node:crypto';
import { hashToken, notFound } from '@drawbridge/contracts';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { type Found } from './require-acceptable.js';

const TOKEN_BYTES = 32;

interface LinkToken {
  /** Only for the link. */
  token: string;
  /** The hash to store. */
  hash: string;
}

/** Each token works on its own: a user who received two mails may use either link. */
export function newLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

interface FoundByToken extends Found {
  id: string;
  orgId: string;
}

/** Returns the invitation of a link, in any state. Throws NOT_FOUND, without the token. */
export async function findByToken(unscoped: Pick<Db, '$queryRaw'>, token: string): Promise<FoundByToken> {
  const [found] = await unscoped.$queryRaw<FoundByToken[]>`
    SELECT id, org_id AS "orgId", email, role, status, expires_at <= now() AS "isOver"
    FROM members.invitations WHERE token_hashes @> ARRAY[${hashToken(token)}]`;
  if (!found) throw notFound('Invitation', 'of this link');
  return found;
}
