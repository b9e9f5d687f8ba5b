import { quotaExceeded } from '@drawbridge/contracts';
import { lock, type LockingTransaction } from './lock.js';

/** A transaction of Prisma's, on a schema whose `totals` triggers keep. */
export type QuotaTransaction = LockingTransaction & {
  total: { findUnique(args: object): PromiseLike<{ rows: number; suspended: number } | null> };
};

/** What is counted: a table's rows of an organization. */
interface Counted {
  orgId: string;
  /** As `totals` calls it. */
  table: string;
}

export interface Quota extends Counted {
  /** What the plan allows now; null: no limit. Asked once nobody else of the organization can create. */
  limit(): Promise<number | null>;
  /** For what is resumed, which is there already: only what is not suspended counts. */
  isResumed?: boolean;
}

/**
 * Makes room for one more row of an organization, until the transaction ends: whoever adds another one waits for it. Suspended
 * rows count: else whoever suspends could keep any number. Throws QUOTA_EXCEEDED.
 */
export async function requireQuota(tx: QuotaTransaction, quota: Quota): Promise<void> {
  await lockQuota(tx, quota);
  await requireRoom(tx, quota);
}

/** The same, for who has locked the quota. */
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
 * Until the transaction ends nobody else creates or resumes such a row of the organization, or changes what its plan allows. Comes
 * before any row is locked, and is not the lock of the totals: who suspends or deletes holds a row, and then those.
 */
export function lockQuota(tx: LockingTransaction, { orgId, table }: Counted): Promise<void> {
  return lock(tx, `quota of ${table} ${orgId}`);
}

async function totalsOf({ total }: QuotaTransaction, { orgId, table }: Counted) {
  // An organization that never had any has no totals.
  return (await total.findUnique({ where: { orgId_of: { orgId, of: table } } })) ?? { rows: 0, suspended: 0 };
}
