import { type EventOf } from '@drawbridge/events';
import { type Pool, type PoolClient } from 'pg';

const NOTE = 'INSERT INTO execution.purged_workspaces (workspace_id) SELECT unnest($1::uuid[]) ON CONFLICT DO NOTHING';

/** Forgets the runs and the idempotency keys of deleted workspaces. */
export async function purgeWorkspaces(events: EventOf<'workspaceDeleted'>[], tx: PoolClient): Promise<void> {
  const ids = events.map(({ payload }) => payload.value.workspaceId);
  await tx.query(NOTE, [ids]);
  await purge(tx, ids);
}

/** Once more, for runs that were under way when their workspace went: they ended, and were recorded, after the purge. */
export async function purgeLateRuns(pool: Pool): Promise<void> {
  await pool.query(`DELETE FROM execution.purged_workspaces WHERE purged_at < now() - interval '10 minutes'`);
  const { rows } = await pool.query<{ id: string }>('SELECT workspace_id AS id FROM execution.purged_workspaces');
  if (rows.length > 0)
    await purge(
      pool,
      rows.map(({ id }) => id),
    );
}

async function purge(db: Pool | PoolClient, ids: string[]): Promise<void> {
  await db.query('DELETE FROM execution.executions WHERE workspace_id = ANY($1::uuid[])', [ids]);
  await db.query('DELETE FROM execution.claims WHERE workspace_id = ANY($1::uuid[])', [ids]);
}
