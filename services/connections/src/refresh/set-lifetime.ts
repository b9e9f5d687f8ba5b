import { type Transaction } from '../database.js';
import { SET_LIFETIME } from './statements.js';

/** Sets how long a credential that was just stored is valid, by the database's clock, and whether it can be refreshed. */
export async function setLifetime(
  tx: Transaction,
  { id, orgId }: { id: string; orgId: string },
  { expiresIn, isRenewable = false }: { expiresIn?: number; isRenewable?: boolean },
): Promise<void> {
  if (expiresIn === undefined && !isRenewable) return;
  await tx.$executeRawUnsafe(SET_LIFETIME, id, orgId, expiresIn ?? null, isRenewable);
}
