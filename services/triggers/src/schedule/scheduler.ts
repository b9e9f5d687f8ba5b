import { inTransaction, repeat } from '@drawbridge/events';
import { type Queryable } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';

const EVERY_MS = 1_000;
const BATCH = 200;

/** A source that something is due of. */
export interface Due {
  id: string;
  orgId: string;
  /** ISO 8601: what the source says while this is still to be done. Whoever does it moves it on, and others find it so. */
  at: string;
}

export type DueTask = 'poll' | 'renew' | 'unregister';

/** Adds jobs in the transaction; each takes the place of one that waits for the same. */
export type EnqueueDue = (tx: Queryable, task: DueTask, due: readonly Due[]) => Promise<void>;

/**
 * What is due by which column, and how long others leave it alone from when it was taken: longer than it goes on. Who dies meanwhile is
 * followed after that time.
 */
const KINDS: { task: DueTask; status: string; column: string; lease: string }[] = [
  { task: 'poll', status: 'enabled', column: 'poll_at', lease: '5 minutes' },
  { task: 'renew', status: 'enabled', column: 'renew_at', lease: '5 minutes' },
  // With all its attempts.
  { task: 'unregister', status: 'disabling', column: 'unregister_at', lease: '1 hour' },
];

/** Enabling ends within a minute, or who did it has died: what was registered is ended. */
const ABANDON = `
  UPDATE triggers.sources SET status = 'disabling', updated_at = now() WHERE id IN (
    SELECT id FROM triggers.sources WHERE status = 'enabling' AND created_at < now() - interval '2 minutes'
    LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)`;

interface Needs {
  pool: Pool;
  enqueue: EnqueueDue;
}

/**
 * Makes jobs of what is due, in every process: each source is taken by one. When it is due the database says, whose clock is one for all. Only
 * what is due waits in the queue, however many sources there are.
 */
export function scheduler({ log, ...needs }: Needs & { log: Logger }): Background {
  return repeat({ name: 'attending to trigger sources', everyMs: EVERY_MS, log }, (stopping) =>
    takeDue(needs, stopping),
  );
}

/** One turn. */
export async function takeDue({ pool, enqueue }: Needs, stopping?: AbortSignal): Promise<void> {
  await pool.query(ABANDON);
  for (const kind of KINDS) {
    while (!stopping?.aborted && (await take(pool, kind, enqueue)) === BATCH);
  }
}

async function take(pool: Pool, { task, ...kind }: (typeof KINDS)[number], enqueue: EnqueueDue): Promise<number> {
  return inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string; orgId: string; at: Date }>(toStatement(kind));
    await enqueue(
      tx,
      task,
      rows.map(({ id, orgId, at }) => ({ id, orgId, at: at.toISOString() })),
    );
    return rows.length;
  });
}

function toStatement({ status, column, lease }: Omit<(typeof KINDS)[number], 'task'>): string {
  return `
    UPDATE triggers.sources SET ${column} = now() + interval '${lease}' WHERE id IN (
      SELECT id FROM triggers.sources WHERE status = '${status}' AND ${column} <= now()
      ORDER BY ${column} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING id, org_id AS "orgId", ${column} AS at`;
}
