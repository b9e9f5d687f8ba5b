import { type PutAside, repeat, withLockedRows } from '@drawbridge/events';
import { type Queryable } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';

const EVERY_MS = 1_000;
const BATCH = 200;

/** A trigger source with a due task. */
export interface Due {
  id: string;
  orgId: string;
  /** The due time in the row of the source, as ISO 8601. The worker that performs the task changes the row, so that other workers skip the task. */
  at: string;
}

export interface DueJob extends Due {
  integrationName: string;
}

export type DueTask = 'renew' | 'unregister';

/** Adds jobs in the transaction. Each job replaces a waiting job with the same task and source. */
export type EnqueueDue = (tx: Queryable, task: DueTask, due: readonly DueJob[]) => Promise<void>;

/**
 * The time for which a source with a due task is not found again. It only has to exceed the time for which the job waits in the queue: the queue
 * repeats the jobs of a process that exited.
 */
const LEASE = '1 hour';

interface Kind {
  task: DueTask;
  /** The status of the sources that have the task. */
  status: string;
  /** The column with the due time. */
  column: string;
}

const KINDS: readonly Kind[] = [
  { task: 'renew', status: 'enabled', column: 'renew_at' },
  { task: 'unregister', status: 'disabling', column: 'unregister_at' },
];

/**
 * Finds sources that have been in the status `enabling` for too long. Enabling ends within 115 s, so the process that enabled the source has exited.
 * The source is disabled, which unregisters what was registered.
 */
const ABANDONED = `status = 'enabling' AND created_at < now() - interval '2 minutes' AND id <> ALL ($1)
  ORDER BY unregister_at`;
const ABANDON = `UPDATE triggers.sources SET status = 'disabling', updated_at = now() WHERE id = ANY ($1)`;

/** Returns which kinds of work are due. ORDER BY makes PostgreSQL use an index. */
const FIND_TASKS = {
  name: 'find-due-tasks',
  text: [['abandon', ABANDONED], ...KINDS.map((kind) => [kind.task, whichOf(kind)])]
    .map(([task, which]) => `(SELECT '${task}' AS task FROM triggers.sources WHERE ${which} LIMIT 1)`)
    .join(' UNION ALL '),
};

interface Needs {
  pool: Pool;
  enqueue: EnqueueDue;
  aside: PutAside;
}

/**
 * Enqueues jobs for due tasks. Runs in every process, and each source is taken by one process. Compares times in the database, because all processes
 * share its clock. The queue contains only due tasks, so its size does not depend on the number of sources.
 */
export function scheduler({ log, ...needs }: Omit<Needs, 'aside'> & { log: Logger }): Background {
  return repeat({ name: 'enqueueing due tasks of trigger sources', everyMs: EVERY_MS, log }, (stopping, aside) =>
    takeDue({ ...needs, aside }, stopping),
  );
}

/**
 * Runs one round of the scheduler. A source that causes an error is skipped, and the others of its batch continue. One statement searches for all
 * kinds of work, because usually none is due.
 */
export async function takeDue(needs: Needs, stopping?: AbortSignal): Promise<void> {
  const { rows } = await needs.pool.query<{ task: string }>({ ...FIND_TASKS, values: [needs.aside.keys()] });
  const isDue = (task: string): boolean => rows.some((row) => row.task === task);
  if (isDue('abandon')) await abandon(needs);
  // An abandoned source must also be unregistered, in the same round.
  const isWanted = ({ task }: Kind): boolean => isDue(task) || (task === 'unregister' && isDue('abandon'));
  for (const kind of KINDS.filter(isWanted)) {
    while (!stopping?.aborted && (await take(needs, kind)) === BATCH);
  }
}

async function abandon({ pool, aside }: Needs): Promise<void> {
  await withLockedRows(pool, toFind(ABANDONED, aside), (tx, rows: { id: string }[]) =>
    aside.byHalves(tx, rows, { keyOf: ({ id }) => id, work: (some) => tx.query(ABANDON, [idsOf(some)]) }),
  );
}

async function take({ pool, enqueue, aside }: Needs, kind: Kind): Promise<number> {
  const { task, column } = kind;
  const lease = `
    UPDATE triggers.sources SET ${column} = now() + interval '${LEASE}' WHERE id = ANY ($1)
    RETURNING id, org_id AS "orgId", integration_name AS "integrationName", ${column} AS at`;
  const taken = await withLockedRows(pool, toFind(whichOf(kind), aside), async (tx, due: { id: string }[]) => {
    const work = async (some: readonly { id: string }[]): Promise<void> => {
      const { rows } = await tx.query<Omit<DueJob, 'at'> & { at: Date }>(lease, [idsOf(some)]);
      const jobs = rows.map((row) => ({ ...row, at: row.at.toISOString() }));
      await enqueue(tx, task, jobs);
    };
    await aside.byHalves(tx, due, { keyOf: ({ id }) => id, work });
    return due.length;
  });
  return taken ?? 0;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

function whichOf({ status, column }: Kind): string {
  return `status = '${status}' AND ${column} <= now() AND id <> ALL ($1) ORDER BY ${column}`;
}

function toFind(which: string, aside: PutAside): { text: string; values: unknown[] } {
  return { text: `SELECT id FROM triggers.sources WHERE ${which} LIMIT ${BATCH}`, values: [aside.keys()] };
}
