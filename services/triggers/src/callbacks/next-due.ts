import { inTransaction } from '@drawbridge/events';
import { type Queryable } from '@drawbridge/jobs';
import { type Pool } from 'pg';
import { LEASE_SECONDS } from './claim.js';

/** Enqueues the callbacks job of each organization when the transaction commits, to run now or at `runAt`. */
export type EnqueueCallbacks = (tx: Queryable, orgIds: readonly string[], runAt?: Date) => Promise<void>;

const OPEN = "status IN ('pending', 'retrying') AND NOT held";
const DUE = `SELECT due_at FROM triggers.deliveries WHERE org_id = $1 AND ${OPEN}`;

const NEXT = {
  name: 'next-callback',
  text: `SELECT (${DUE} ORDER BY due_at LIMIT 1) AS first,
    least((${DUE} AND due_at > now() ORDER BY due_at LIMIT 1), now() + interval '${LEASE_SECONDS} seconds') AS later`,
};
/** Without this lock, two processes that schedule at the same time do not see each other's changes. */
const LOCK = { name: 'lock-callbacks', text: "SELECT pg_advisory_xact_lock(hashtextextended('callbacks ' || $1, 0))" };

interface Next {
  first: Date | null;
  later: Date;
}

/**
 * Enqueues an organization's job for the time at which its next delivery is due or its next lease expires. `isHeld`: this process handles what is due
 * now itself, when an attempt ends. The job then runs at the latest when the first of those leases expires.
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
