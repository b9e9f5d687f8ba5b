import { inTransaction, type PutAside, repeat } from '@drawbridge/events';
import { type Queryable } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';

const EVERY_MS = 1_000;
const BATCH = 200;

/** A source with a due task. */
export interface Due {
  id: string;
  orgId: string;
  /** The due time in the row of the source, as ISO 8601. The worker of the task changes it, so that other workers skip the task. */
  at: string;
}

export interface DueJob extends Due {
  integrationName: string;
}

export type DueTask = 'renew' | 'unregister';

/** Adds jobs in the transaction. Each job replaces a waiting job for the same task and source. */
export type EnqueueDue = (tx: Queryable, task: DueTask, due: readonly DueJob[]) => Promise<void>;

/**
 * The status, column and lease of each task. A job keeps its position in the queue during the lease, and the queue itself takes over the jobs of a
 * process that exited. The lease only has to exceed the time for which a job waits.
 */
const KINDS: { task: DueTask; status: string; column: string; lease: string }[] = [
  { task: 'renew', status: 'enabled', column: 'renew_at', lease: '1 hour' },
  { task: 'unregister', status: 'disabling', column: 'unregister_at', lease: '1 hour' },
];

/** Enabling ends within 115 s. An older source belongs to a process that exited, and what it registered is unregistered. */
const ABANDONED = `
  SELECT id FROM triggers.sources WHERE status = 'enabling' AND created_at < now() - interval '2 minutes' AND id <> ALL ($1)
  LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
const ABANDON = `UPDATE triggers.sources SET status = 'disabling', updated_at = now() WHERE id = ANY ($1)`;

interface Needs {
  pool: Pool;
  enqueue: EnqueueDue;
}

/**
 * Enqueues jobs for due tasks in every process. Each source is taken by one process. The database determines the due tasks, because all processes
 * share its clock. The queue only contains due tasks, independent of the number of sources.
 */
export function scheduler({ log, ...needs }: Needs & { log: Logger }): Background {
  return repeat({ name: 'enqueueing due tasks of trigger sources', everyMs: EVERY_MS, log }, (stopping, aside) =>
    takeDue({ ...needs, aside }, stopping),
  );
}

/** Runs one round of the scheduler. A source that fails is set aside, and the others of its batch continue. */
export async function takeDue(needs: Needs & { aside: PutAside }, stopping?: AbortSignal): Promise<void> {
  await abandon(needs);
  for (const kind of KINDS) {
    while (!stopping?.aborted && (await take(needs, kind)) === BATCH);
  }
}

async function abandon({ pool, aside }: Omit<Needs, 'enqueue'> & { aside: PutAside }): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ id: string }>(ABANDONED, [aside.keys()]);
    await aside.byHalves(tx, rows, { keyOf: ({ id }) => id, work: (some) => tx.query(ABANDON, [idsOf(some)]) });
  });
}

async function take(
  { pool, enqueue, aside }: Needs & { aside: PutAside },
  { task, ...kind }: (typeof KINDS)[number],
): Promise<number> {
  const { find, lease } = toStatements(kind);
  return inTransaction(pool, async (tx) => {
    const { rows: due } = await tx.query<{ id: string }>(find, [aside.keys()]);
    const work = async (some: readonly { id: string }[]): Promise<void> => {
      const { rows } = await tx.query<Omit<DueJob, 'at'> & { at: Date }>(lease, [idsOf(some)]);
      const jobs = rows.map((row) => ({ ...row, at: row.at.toISOString() }));
      await enqueue(tx, task, jobs);
    };
    await aside.byHalves(tx, due, { keyOf: ({ id }) => id, work });
    return due.length;
  });
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

function toStatements({ status, column, lease }: Omit<(typeof KINDS)[number], 'task'>) {
  return {
    find: `
      SELECT id FROM triggers.sources
      WHERE status = '${status}' AND ${column} <= now() AND id <> ALL ($1)
      ORDER BY ${column} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    lease: `
      UPDATE triggers.sources SET ${column} = now() + interval '${lease}' WHERE id = ANY ($1)
      RETURNING id, org_id AS "orgId", integration_name AS "integrationName", ${column} AS at`,
  };
}
