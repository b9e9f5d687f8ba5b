import { type SuspensionReason } from '@drawbridge/contracts';
import { lockQuota, type Quota, type QuotaTransaction, requireRoom } from './quota.js';

/** Prisma's delegate of a table whose rows can be suspended. */
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
 * Does nothing if the row is suspended or absent. A row that the plan suspended becomes suspended by request, so a plan change does not resume it.
 */
export async function suspend(rows: Rows, which: Which): Promise<void> {
  const data = { suspendedAt: new Date(), ...BY_REQUEST };
  await rows.updateMany({ where: { ...which, suspendedAt: null }, data });
  await rows.updateMany({ where: { ...which, ...BY_PLAN }, data: BY_REQUEST });
}

/** Does nothing if the row is absent or not suspended. Throws QUOTA_EXCEEDED if the plan allows no more active rows. */
export async function resume(
  tx: QuotaTransaction,
  rows: Rows,
  { which, ...quota }: { which: Which } & Pick<Quota, 'table' | 'limit'>,
): Promise<void> {
  const { orgId } = which;
  await lockQuota(tx, { orgId, table: quota.table }); // the second of two concurrent calls finds the row resumed
  const isSuspended = (await rows.count({ where: { ...which, suspendedAt: { not: null } } })) > 0;
  if (!isSuspended) return;
  await requireRoom(tx, { ...quota, orgId, isResumed: true });
  await rows.updateMany({ where: which, data: { suspendedAt: null, suspensionReason: null } });
}
