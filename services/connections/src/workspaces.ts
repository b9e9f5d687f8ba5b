import { type EmptyWorkspace, insertEvents, newEvent, type WorkspaceGuard } from '@drawbridge/events';
import { lookUpWorkspace, type Network } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';

const ASK_TIMEOUT_MS = 3_000;

/** An end user's connections go with the end user, whatever their scope. */
const DELETE_CONNECTIONS = `
  DELETE FROM connections.connections WHERE id IN (
    SELECT id FROM connections.connections
    WHERE workspace_id = $1 AND (scope <> 'ORGANIZATION' OR end_user_record_id IS NOT NULL) LIMIT $2)
  RETURNING id, org_id`;
const DELETE_END_USERS = `
  DELETE FROM connections.end_users WHERE id IN (
    SELECT id FROM connections.end_users WHERE workspace_id = $1 LIMIT $2)`;
const DELETE_PROOFS = `
  DELETE FROM connections.email_proofs WHERE id IN (
    SELECT id FROM connections.email_proofs WHERE workspace_id = $1 LIMIT $2)`;
/** They go with what they are needed for. */
const ABANDON_OAUTH_APPS = `
  UPDATE connections.oauth_apps SET abandoned_at = now() WHERE id IN (
    SELECT id FROM connections.oauth_apps WHERE workspace_id = $1 AND abandoned_at IS NULL LIMIT $2)`;
const DELETE_SESSIONS = `
  DELETE FROM connections.connect_sessions WHERE id IN (
    SELECT id FROM connections.connect_sessions WHERE workspace_id = $1 LIMIT $2)`;
/** What hangs on a connection that is held goes when that is ended: the last one lets go of the connection. */
const DELETE_SOURCE_SECRETS = `
  DELETE FROM connections.source_secrets WHERE id IN (
    SELECT id FROM connections.source_secrets
    WHERE workspace_id = $1 AND NOT EXISTS (SELECT FROM connections.revocations held WHERE held.id = source_secrets.connection_id) LIMIT $2)`;
const FORGET_WORKSPACE = `
  UPDATE connections.connections SET workspace_id = NULL, updated_at = now() WHERE id IN (
    SELECT id FROM connections.connections WHERE workspace_id = $1 LIMIT $2)`;

/** Throws NOT_FOUND for a workspace that is not the caller's, FORBIDDEN for a suspended one; in a transaction that writes, for one that is gone. */
export interface WorkspaceChecks extends Pick<WorkspaceGuard, 'requireNotDeleted'> {
  require(workspaceId: string): Promise<unknown>;
}

export function workspaceChecks(network: Network, { requireNotDeleted }: WorkspaceGuard): WorkspaceChecks {
  return { requireNotDeleted, require: lookUpWorkspace(network, { timeoutMs: ASK_TIMEOUT_MS }) };
}

/** Deletes what a workspace held, telling of each connection; the organization's own connections live on. */
export const emptyWorkspace: EmptyWorkspace = async (tx, workspaceId, limit) => {
  const { rows } = await tx.query<Deleted>(DELETE_CONNECTIONS, [workspaceId, limit]);
  if (rows.length > 0) {
    await announce(rows, tx);
    // The rest in a transaction of its own: this one holds the organization's total, for which whoever deletes a connection
    // waits that is among the rest.
    return rows.length;
  }
  const sessions = await tx.query(DELETE_SESSIONS, [workspaceId, limit]);
  const people = await tx.query(DELETE_END_USERS, [workspaceId, limit]);
  const proofs = await tx.query(DELETE_PROOFS, [workspaceId, limit]);
  const apps = await tx.query(ABANDON_OAUTH_APPS, [workspaceId, limit]);
  const secrets = await tx.query(DELETE_SOURCE_SECRETS, [workspaceId, limit]);
  const forgotten = await tx.query(FORGET_WORKSPACE, [workspaceId, limit]);
  return [sessions, people, proofs, apps, secrets, forgotten].reduce((rows, { rowCount }) => rows + (rowCount ?? 0), 0);
};

interface Deleted {
  id: string;
  org_id: string;
}

async function announce(deleted: Deleted[], tx: PoolClient): Promise<void> {
  const events = deleted.map(({ id, org_id: orgId }) =>
    newEvent({ $case: 'connectionDeleted', value: { connectionId: id } }, { orgId }),
  );
  await insertEvents(tx, 'connections', events);
}
