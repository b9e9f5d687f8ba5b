import { quotaExceeded, type SuspensionReason } from '@drawbridge/contracts';
import { lock, type LockingTransaction } from './lock.js';
import { countsOf, type Totals } from './totals.js';

/** A Prisma transaction in a schema with `totals`. */
type QuotaTransaction = LockingTransaction & { total: Totals };

/** The rows of an organization in a table. */
interface Counted {
  orgId: string;
  /** The name under which `totals` contains the counts of this table. */
  table: string;
}

interface Quota extends Counted {
  /** Returns the plan's current limit, or null if there is no limit. It is called under the quota lock. */
  limit(): Promise<number | null>;
  /** Set to resume a suspended row. The row already exists, so only rows that are not suspended count. */
  isResumed?: boolean;
}

/**
 * Checks that the organization may create one more row, and locks the quota until the transaction ends. Suspended rows count, because otherwise
 * suspending rows would circumvent the limit. Throws QUOTA_EXCEEDED.
 */
export async function requireQuota(tx: QuotaTransaction, quota: Quota): Promise<void> {
  await lockQuota(tx, quota);
  await requireRoom(tx, quota);
}

/** Checks the quota in a transaction that already holds its lock. Throws QUOTA_EXCEEDED. */
export async function requireRoom(
  tx: QuotaTransaction,
  { limit, isResumed = false, orgId, table }: Quota,
): Promise<void> {
  const { rows, suspended } = await countsOf(tx.total, { orgId, of: table });
  const used = isResumed ? rows - suspended : rows;
  const allowed = await limit();
  if (allowed !== null && used >= allowed) throw quotaExceeded(table, { limit: allowed, used });
}

/**
 * Locks the quota of a table and organization until the transaction ends. Blocks other transactions that create or resume a row, or that change the
 * plan's limit. Call it before you lock any row. The quota lock is separate from the row lock of the total. Otherwise a suspension or deletion, which
 * first locks a row and then its total, could deadlock with it.
 */
export function lockQuota(tx: LockingTransaction, { orgId, table }: Counted): Promise<void> {
  return lock(tx, `quota of ${table} ${orgId}`);
}

/** The Prisma delegate of a table with rows that can be suspended. */
interface Rows {
  updateMany(args: object): PromiseLike<unknown>;
  count(args: object): PromiseLike<number>;
}

interface Which {
  id: string;
  orgId: string;
}

const BY_REQUEST: { suspensionReason: SuspensionReason } = { suspensionReason: 'request' };
const BY_PLAN: { suspensionReason: SuspensionReason } = { suspensionReason: 'plan' };

/**
 * Suspends a row. Does nothing if the row is suspended or absent. A row that the plan suspended becomes suspended by request, so that a plan change
 * does not resume it.
 */
export async function suspend(rows: Rows, which: Which): Promise<void> {
  const data = { suspendedAt: new Date(), ...BY_REQUEST };
  await rows.updateMany({ where: { ...which, suspendedAt: null }, data });
  await rows.updateMany({ where: { ...which, ...BY_PLAN }, data: BY_REQUEST });
}

/** Resumes a row. Does nothing if the row is absent or not suspended. Throws QUOTA_EXCEEDED if the plan allows no further active row. */
export async function resume(
  tx: QuotaTransaction,
  rows: Rows,
  { which, ...quota }: { which: Which } & Pick<Quota, 'table' | 'limit'>,
): Promise<void> {
  const { orgId } = which;
  await lockQuota(tx, { orgId, table: quota.table }); // with the lock, the second of two concurrent calls finds the row resumed
  const isSuspended = (await rows.count({ where: { ...which, suspendedAt: { not: null } } })) > 0;
  if (!isSuspended) return;
  await requireRoom(tx, { ...quota, orgId, isResumed: true });
  await rows.updateMany({ where: which, data: { suspendedAt: null, suspensionReason: null } });
}
