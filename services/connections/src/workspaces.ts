import { type EventOf, newEvent } from '@drawbridge/events';
import { WorkspaceServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { type Network } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type Transaction } from './database.js';

/** The key of a workspace's lock: shared by those who add to it, alone for who purges it. */
const KEY = `hashtextextended('workspace ' || lower($1::text), 0)`;
const LOCK_SHARED = `SELECT pg_advisory_xact_lock_shared(${KEY})`;
const LOCK_TO_PURGE = `SELECT pg_advisory_xact_lock(${KEY})`;

const ASK_TIMEOUT_MS = 3_000;

/** An end user's connections go with the end user, whatever their scope. */
const DELETE_CONNECTIONS = `
  DELETE FROM connections.connections WHERE workspace_id = $1 AND (scope <> 'ORGANIZATION' OR end_user_record_id IS NOT NULL)
  RETURNING id`;
const DELETE_END_USERS = 'DELETE FROM connections.end_users WHERE workspace_id = $1';
const FORGET_WORKSPACE = 'UPDATE connections.connections SET workspace_id = NULL, updated_at = now() WHERE workspace_id = $1';
const ANNOUNCE = `
  INSERT INTO connections.outbox (id, type, org_id, envelope)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[])`;

export type RequireLivingWorkspace = ReturnType<typeof requireLivingWorkspace>;

/**
 * Fails with NOT_FOUND unless the caller's organization has the workspace, and keeps it from being purged until the
 * transaction ends. The lock comes before the question: who asks later than the purge hears that the workspace is gone,
 * who asked earlier has written before the purge looks. Nothing is left behind either way.
 */
export function requireLivingWorkspace(network: Network) {
  const members = network.client('members', WorkspaceServiceDefinition);
  return async (tx: Transaction, workspaceId: string): Promise<void> => {
    await tx.$executeRawUnsafe(LOCK_SHARED, workspaceId);
    await members.getWorkspace({ id: workspaceId }, { timeoutMs: ASK_TIMEOUT_MS });
  };
}

/** Deletes what the deleted workspaces held, telling of each connection; the organization's own connections live on. */
export async function purgeWorkspaces(events: EventOf<'workspaceDeleted'>[], tx: PoolClient): Promise<void> {
  for (const event of inOrder(events)) {
    const values = [event.payload.value.workspaceId];
    await tx.query(LOCK_TO_PURGE, values);
    const { rows } = await tx.query<{ id: string }>(DELETE_CONNECTIONS, values);
    await tx.query(DELETE_END_USERS, values);
    await tx.query(FORGET_WORKSPACE, values);
    await announce(rows, event, tx);
  }
}

/** Of the ids: two batches at once then lock in the same order. */
function inOrder(events: EventOf<'workspaceDeleted'>[]): EventOf<'workspaceDeleted'>[] {
  return [...events].sort((a, b) => (a.payload.value.workspaceId < b.payload.value.workspaceId ? -1 : 1));
}

async function announce(
  deleted: { id: string }[],
  { orgId, traceparent }: EventOf<'workspaceDeleted'>,
  tx: PoolClient,
): Promise<void> {
  const rows = deleted.map(({ id }) =>
    newEvent({ $case: 'connectionDeleted', value: { connectionId: id } }, { orgId, traceparent }),
  );
  const columns = [rows.map((row) => row.id), rows.map((row) => row.type), rows.map((row) => row.orgId)];
  await tx.query(ANNOUNCE, [...columns, rows.map((row) => row.envelope)]);
}
