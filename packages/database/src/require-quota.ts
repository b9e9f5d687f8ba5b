import { quotaExceeded } from '@drawbridge/contracts';

/** Prisma's delegate of the `totals` that triggers keep, in the transaction that creates. */
interface Totals {
  upsert(args: object): PromiseLike<{ rows: number }>;
}

interface Quota {
  orgId: string;
  /** As `totals` calls the table. */
  table: string;
  /** What the plan allows now; null: no limit. Asked once nobody else of the organization can create. */
  limit(): Promise<number | null>;
}

/**
 * Makes room for one more row of an organization, until the transaction ends: whoever creates another one waits for it. Suspended
 * rows count: else whoever suspends could keep any number. Throws QUOTA_EXCEEDED.
 */
export async function requireQuota(totals: Totals, { orgId, table, limit }: Quota): Promise<void> {
  const key = { orgId, of: table };
  // A row that is written is held, and read as the last writer left it.
  const { rows: used } = await totals.upsert({
    where: { orgId_of: key },
    create: { ...key, rows: 0, suspended: 0 },
    update: { rows: { increment: 0 } },
  });
  const allowed = await limit();
  if (allowed !== null && used >= allowed) throw quotaExceeded(table, { limit: allowed, used });
}
