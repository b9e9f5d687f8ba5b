import { NIL_ID, notFound } from '@drawbridge/contracts';
import { type Background, type Metric } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import { type Log } from './bus.js';
import { type AfterCommit, type EventOf } from './consume-once.js';
import { inTransaction } from './in-transaction.js';
import { type PutAside } from './skip-failing-rows.js';
import { repeat } from './repeat.js';

/** A deletion wakes the purge in its own process. The interval is for deletions by a process that crashed, or could not get the lock. */
const EVERY_MS = 5_000;
/** Maximum number of rows per transaction. */
const BATCH_ROWS = 500;

type Transaction = { $queryRawUnsafe<T>(sql: string, ...values: unknown[]): PromiseLike<T> };

/** Deletes up to `limit` rows of a workspace and returns their number; 0 if no rows are left. */
export type EmptyWorkspace = (tx: PoolClient, workspaceId: string, limit: number) => Promise<number>;

interface Options {
  pool: Pool;
  /** The schema of a service that has `WORKSPACE_TABLES`. */
  schema: string;
  log: Log;
  empty: EmptyWorkspace;
}

/**
 * Prevents writes to a deleted workspace, and purges deleted workspaces. A writer first checks the workspace with the members service, outside of any
 * transaction. The transaction that writes then calls `<schema>.workspace_lives`, which takes a shared lock that delays the deletion until the
 * transaction ends. The tombstone is written under the same lock, so later writers find it, and rows of earlier writers are purged. Therefore no row
 * remains, and no transaction waits for another service.
 */
export interface WorkspaceGuard extends Background {
  /** The age of the oldest deleted workspace that is not yet purged. It grows if the purge fails or hangs. */
  metric: Metric;
  /** Throws NOT_FOUND if the workspace is deleted. Call it in a transaction that writes. */
  requireNotDeleted(tx: Transaction, workspaceId: string): Promise<void>;
  /** Writes the tombstones of workspaces, in the transaction that consumes the events. The purge follows in batches. */
  markDeleted(events: EventOf<'workspaceDeleted'>[], tx: PoolClient, afterCommit: AfterCommit): Promise<void>;
}

export function workspaceGuard({ pool, schema, log, empty }: Options): WorkspaceGuard {
  const sql = statements(schema);
  let last: string = NIL_ID;
  const emptyAll = async (stopping: AbortSignal, aside: PutAside): Promise<void> => {
    while (!stopping.aborted) {
      const { rows } = await pool.query<{ id: string }>(sql.next, [last, aside.keys()]);
      const id = rows[0]?.id;
      if (id === undefined) return;
      let isOurs = true;
      await aside.attempt(
        id,
        async () => (isOurs = await inTransaction(pool, (tx) => emptySome(tx, { sql, empty, id }))),
      );
      if (!isOurs) return;
      last = id;
    }
  };
  const background = repeat({ name: `emptying workspaces of ${schema}`, everyMs: EVERY_MS, log }, emptyAll);
  return {
    ...background,
    metric: ageMetric(pool, schema, sql.age),

    async requireNotDeleted(tx, workspaceId) {
      const [found] = await tx.$queryRawUnsafe<{ lives: boolean }[]>(sql.lives, workspaceId);
      if (!found?.lives) throw notFound('Workspace', workspaceId);
    },

    async markDeleted(events, tx, afterCommit) {
      // The ids are sorted, so that two concurrent batches take their locks in the same order.
      const ids = events.map(({ payload }) => payload.value.workspaceId).sort();
      for (const id of ids) await tx.query(sql.markDeleted, [id]);
      afterCommit(background.wake);
    },
  };
}

function ageMetric(pool: Pool, service: string, age: string): Metric {
  return {
    name: 'drawbridge_purge_oldest_seconds',
    help: 'Age of the oldest deleted workspace with data that is not purged; 0 if there is none.',
    type: 'gauge',
    async read() {
      const { rows } = await pool.query<{ seconds: number }>(age);
      return [{ labels: { service }, value: rows[0]?.seconds ?? 0 }];
    },
  };
}

/** Deletes some rows of a workspace. Returns false if another process holds the lock. */
async function emptySome(
  tx: PoolClient,
  { sql, empty, id }: { sql: ReturnType<typeof statements>; empty: EmptyWorkspace; id: string },
): Promise<boolean> {
  const lock = await tx.query<{ held: boolean }>(sql.lock);
  if (!lock.rows[0]?.held) return false;
  if ((await empty(tx, id, BATCH_ROWS)) === 0) await tx.query(sql.done, [id]);
  return true;
}

const statements = (schema: string) => ({
  lives: `SELECT ${schema}.workspace_lives($1::uuid) AS lives`,
  markDeleted: `SELECT ${schema}.bury_workspace($1::uuid)`,
  // The timeout releases the lock if its process hangs.
  lock: `
    SELECT pg_try_advisory_xact_lock(hashtextextended('emptying ${schema}', 0)) AS held,
      set_config('idle_in_transaction_session_timeout', '10s', true)`,
  // Selects the workspaces in turn, so that a large workspace does not delay a small workspace.
  next: `
    SELECT workspace_id AS id FROM ${schema}.purged_workspaces
    WHERE emptied_at IS NULL AND workspace_id <> ALL ($2::uuid[])
    ORDER BY workspace_id <= $1, workspace_id LIMIT 1`,
  age: `
    SELECT extract(epoch FROM clock_timestamp() - purged_at)::float8 AS seconds
    FROM ${schema}.purged_workspaces WHERE emptied_at IS NULL ORDER BY purged_at LIMIT 1`,
  done: `UPDATE ${schema}.purged_workspaces SET emptied_at = now() WHERE workspace_id = $1`,
});

/** SQL with the workspace as $1 and the maximum number of rows as $2, or a function for work that needs several statements. */
type PurgeStep = string | EmptyWorkspace;

/** Returns SQL that deletes the rows of a workspace from `table` that match `condition`. The table must have the columns `id` and `workspace_id`. */
export function deleteOfWorkspace(table: string, condition = 'true'): string {
  return `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE workspace_id = $1 AND ${condition} LIMIT $2)`;
}

/** Purges a workspace step by step. A batch ends after the first step that finds rows, so that its transaction locks only rows of that step. */
export function purgeBySteps(...steps: readonly PurgeStep[]): EmptyWorkspace {
  return async (tx, workspaceId, limit) => {
    for (const step of steps) {
      const rows =
        typeof step === 'string'
          ? ((await tx.query(step, [workspaceId, limit])).rowCount ?? 0)
          : await step(tx, workspaceId, limit);
      if (rows > 0) return rows;
    }
    return 0;
  };
}
