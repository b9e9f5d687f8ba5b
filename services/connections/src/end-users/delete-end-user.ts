import { ApiError, notFound } from '@drawbridge/contracts';
import { lockQuota } from '@drawbridge/database';
import { auditEvent, insertEvents, inTransaction, newEvent, unaskedEvent } from '@drawbridge/events';
import { currentContext, requireInTime } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type EndUserRow } from '../database.js';
import { changeOf } from './find-end-user.js';
import { type Parts } from '../parts.js';

/** Maximum number of connections that one transaction deletes, so that its locks are short. */
const BATCH_ROWS = 500;

const DELETE_CONNECTIONS = `
  DELETE FROM connections.connections WHERE org_id = $1 AND id IN (
    SELECT id FROM connections.connections WHERE org_id = $1 AND end_user_record_id = $2 LIMIT $3)
  RETURNING id, display_name AS name, workspace_id AS "workspaceId"`;
/** A database trigger also deletes the open connect sessions of the end user. */
const DELETE_PERSON = 'DELETE FROM connections.end_users WHERE org_id = $1 AND id = $2';

/**
 * Deletes an end user with all connections, and records an event for each connection. Uses short transactions, so that requests that create
 * connections do not wait for thousands of deletions. If it stops early, the end user and the remaining connections still exist, and the caller can
 * repeat it. Returns the number of deleted connections. Throws NOT_FOUND if another request deleted the end user first, and TIMEOUT.
 */
export async function deleteEndUser({ pool, outbox, onCommit }: Parts, person: EndUserRow): Promise<number> {
  for (let deleted = 0; ;) {
    const some = await inTransaction(pool, (tx) => deleteSome(tx, person, deleted)).finally(onCommit);
    outbox.wake();
    deleted += some;
    if (some < BATCH_ROWS) return deleted;
    if (currentContext()?.signal.aborted)
      throw new ApiError(
        'TIMEOUT',
        `Deleted ${deleted} connections of the end user, but not all. Send the request again to delete the rest`,
      );
  }
}

async function deleteSome(tx: PoolClient, person: EndUserRow, before: number): Promise<number> {
  const { id, orgId, workspaceId, externalId } = person;
  // Creating a connection also takes this lock, so no connection is added to an end user who is being deleted, and concurrent changes of the total
  // number of connections run one after the other.
  await lockQuota(tx, { orgId, table: 'connections' });
  const values = [orgId, id, BATCH_ROWS];
  const { rows } = await tx.query<{ id: string; name: string; workspaceId: string | null }>(DELETE_CONNECTIONS, values);
  const reason = `with end user ${externalId}`;
  const events = rows.flatMap((row) => [
    newEvent({ $case: 'connectionDeleted', value: { connectionId: row.id } }, { orgId }),
    unaskedEvent('system', { ...row, orgId, action: 'connection.delete', reason }),
  ]);
  if (rows.length < BATCH_ROWS) {
    const { rowCount } = await tx.query(DELETE_PERSON, [orgId, id]);
    if (rowCount === 0) throw notFound('End user', id);
    events.push(newEvent({ $case: 'endUserDeleted', value: { workspaceId, externalId, endUserId: id } }, { orgId }));
    events.push(auditEvent({ ...changeOf(person), reason: `with ${before + rows.length} connections` }));
  }
  await insertEvents(tx, 'connections', events);
  requireInTime();
  return rows.length;
}
