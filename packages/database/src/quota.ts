import { quotaExceeded } from '@drawbridge/contracts';

/** A transaction of Prisma's, on a schema whose `totals` triggers keep. */
export interface QuotaTransaction {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
  total: { findUnique(args: object): PromiseLike<{ rows: number; suspended: number } | null> };
}

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
 * before any row is locked, and is not the lock of the totals: who suspends or deletes holds a row, and then those. A process that hangs
 * with it loses it, before who waits for it (5 s) gives up.
 */
export async function lockQuota(tx: QuotaTransaction, counted: Counted): Promise<void> {
  await tx.$executeRaw`
    SELECT set_config('idle_in_transaction_session_timeout', '4s', true), pg_advisory_xact_lock(hashtextextended(${quotaKey(counted)}, 0))`;
}

/** What is locked: the same text wherever it is. */
export function quotaKey({ orgId, table }: Counted): string {
  return `quota of ${table} ${orgId}`;
}

async function totalsOf({ total }: QuotaTransaction, { orgId, table }: Counted) {
  // An organization that never had any has no totals.
  return (await total.findUnique({ where: { orgId_of: { orgId, of: table } } })) ?? { rows: 0, suspended: 0 };
}
