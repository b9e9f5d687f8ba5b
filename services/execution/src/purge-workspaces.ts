import { type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';

/** Forgets the runs and the idempotency keys of deleted workspaces. */
export async function purgeWorkspaces(events: EventOf<'workspaceDeleted'>[], tx: PoolClient): Promise<void> {
  const ids = events.map(({ payload }) => payload.value.workspaceId);
  await tx.query('DELETE FROM executions WHERE workspace_id = ANY($1::uuid[])', [ids]);
  await tx.query('DELETE FROM claims WHERE workspace_id = ANY($1::uuid[])', [ids]);
}
