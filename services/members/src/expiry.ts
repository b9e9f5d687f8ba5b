import { ApiError, invalid } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type PrismaClient as Db } from './gen/prisma/client.js';

/**
 * When a key that is made now stops working. Throws VALIDATION_ERROR on a time that is none or has passed, with FORBIDDEN
 * on one after the end of the key that makes it: it would outlive what it was allowed.
 */
export async function requireExpiry(db: Pick<Db, 'apiKey'>, text: string | undefined): Promise<Date | null> {
  const expiresAt = text === undefined ? null : new Date(text);
  if (expiresAt && !(expiresAt.getTime() > Date.now())) throw invalid({ expiresAt: 'must be a time to come' });
  const { orgId, keyId: id } = caller();
  const maker =
    id === undefined ? null : await db.apiKey.findFirst({ where: { id, orgId }, select: { expiresAt: true } });
  if (maker?.expiresAt && !(expiresAt && expiresAt <= maker.expiresAt)) {
    throw new ApiError('FORBIDDEN', 'A key can be given no longer than its maker has: send an earlier expiresAt');
  }
  return expiresAt;
}
