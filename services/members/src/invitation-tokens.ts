import { randomBytes } from 'node:crypto';
import { hashToken, notFound } from '@drawbridge/contracts';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { type Found } from './require-acceptable.js';

const TOKEN_BYTES = 32;

interface LinkToken {
  /** For the link, and told to nobody else. */
  token: string;
  /** To be kept. */
  hash: string;
}

/** Each is good for itself: who was mailed twice may use either. */
export function newLinkToken(): LinkToken {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, hash: hashToken(token) };
}

interface FoundByToken extends Found {
  id: string;
  orgId: string;
}

/** Whose link it is, in whatever state. Throws NOT_FOUND, without the token. */
export async function findByToken(unscoped: Pick<Db, '$queryRaw'>, token: string): Promise<FoundByToken> {
  const [found] = await unscoped.$queryRaw<FoundByToken[]>`
    SELECT id, org_id AS "orgId", email, role, status, expires_at <= now() AS "isOver"
    FROM members.invitations WHERE token_hashes @> ARRAY[${hashToken(token)}]`;
  if (!found) throw notFound('Invitation', 'of this link');
  return found;
}
