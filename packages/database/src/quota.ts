import { quotaExceeded } from '@drawbridge/contracts';
import { lock, type LockingTransaction } from './lock.js';

/** A Prisma transaction, on a schema whose `totals` triggers maintain. */
export type QuotaTransaction = LockingTransaction & {
  total: { findUnique(args: object): PromiseLike<{ rows: number; suspended: number } | null> };
};

/** A table's rows of an organization. */
interface Counted {
  orgId: string;
  /** Its name in `totals`. */
  table: string;
}

export interface Quota extends Counted {
  /** Returns the plan's current limit; null: no limit. Called under the quota lock. */
  limit(): Promise<number | null>;
  /** Set to resume a suspended row: the row already exists, so only rows that are not suspended count. */
  isResumed?: boolean;
}

/**
 * Checks that the organization may create one more row, and locks the quota until the transaction ends. Suspended rows count: otherwise suspending
 * rows would evade the limit. Throws QUOTA_EXCEEDED.
 */
export async function requireQuota(tx: QuotaTransaction, quota: Quota): Promise<void> {
  await lockQuota(tx, quota);
  await requireRoom(tx, quota);
}

/** Checks the quota for a transaction that already holds its lock. Throws QUOTA_EXCEEDED. */
export async function requireRoom(
  tx: QuotaTransaction,
  { limit, isResumed = false, ...counted }: Quota,
): Promise<void> {
  const { rows, suspended } = await totalsOf(tx, counted);
  const used = isResumed ? rows - suspended : rows;
  const allowed = await limit();
  if (allowed !== null && used >= allowed) throw quotaExceeded(counted.table, { limit: allowed, used });
}

/**
 * Until the transaction ends, blocks others that create or resume such a row of the organization, or change the plan's limit. Call it before you
 * lock any row. It is separate from the row lock of the totals: a suspension or deletion locks a row first, and then the totals.
 */
export function lockQuota(tx: LockingTransaction, { orgId, table }: Counted): Promise<void> {
  return lock(tx, `quota of ${table} ${orgId}`);
}

async function totalsOf({ total }: QuotaTransaction, { orgId, table }: Counted) {
  // An organization without any rows so far has no totals.
  return (await total.findUnique({ where: { orgId_of: { orgId, of: table } } })) ?? { rows: 0, suspended: 0 };
}
