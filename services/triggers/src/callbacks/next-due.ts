import { inTransaction } from '@drawbridge/events';
import { type Queryable } from '@drawbridge/jobs';
import { type Pool } from 'pg';
import { LEASE_SECONDS } from './claim.js';

/** Has organizations attended to, now or at a time, from the commit on. */
export type EnqueueCallbacks = (tx: Queryable, orgIds: readonly string[], runAt?: Date) => Promise<void>;

const OPEN = "status IN ('pending', 'retrying') AND NOT held";
const DUE = `SELECT due_at FROM triggers.deliveries WHERE org_id = $1 AND ${OPEN}`;

const NEXT = {
  name: 'next-callback',
  text: `SELECT (${DUE} ORDER BY due_at LIMIT 1) AS first,
    least((${DUE} AND due_at > now() ORDER BY due_at LIMIT 1), now() + interval '${LEASE_SECONDS} seconds') AS later`,
};
/** Two that look at the same time for what is next would not see what the other leaves. */
const LOCK = { name: 'lock-callbacks', text: "SELECT pg_advisory_xact_lock(hashtextextended('callbacks ' || $1, 0))" };

interface Next {
  first: Date | null;
  later: Date;
}

/**
 * Has an organization attended to when its next delivery is due, and whatever dies. `isHeld`: what is due now is attended to by this process
 * when an attempt has ended; the next time is then at the latest that at which one of those is taken for dead.
 */
export async function scheduleNext(
  pool: Pool,
  enqueue: EnqueueCallbacks,
  { orgId, isHeld }: { orgId: string; isHeld: boolean },
): Promise<void> {
  if (!(await find(pool, orgId)).first) return;
  await inTransaction(pool, async (tx) => {
    await tx.query({ ...LOCK, values: [orgId] });
    const { first, later } = await find(tx, orgId);
    if (first) await enqueue(tx, [orgId], isHeld && first < later ? later : first);
  });
}

async function find(on: Pick<Pool, 'query'>, orgId: string): Promise<Next> {
  const { rows } = await on.query<Next>({ ...NEXT, values: [orgId] });
  return rows[0]!;
}
