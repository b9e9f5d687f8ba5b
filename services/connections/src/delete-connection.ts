import { notFound } from '@drawbridge/contracts';
import { type AuditedUser, type Outbox } from '@drawbridge/events';
import { type ConnectionRow, type Transaction } from './database.js';

/**
 * Deletes a connection and records the event. `by`: the actor, if the call has no caller, and the reason. Throws NOT_FOUND if it was deleted
 * meanwhile.
 */
export async function deleteConnection(
  tx: Transaction,
  outbox: Outbox,
  row: ConnectionRow,
  by: { user?: AuditedUser; reason?: string } = {},
): Promise<void> {
  const { id, orgId, displayName: name, workspaceId } = row;
  const { count } = await tx.connection.deleteMany({ where: { id, orgId } });
  if (count === 0) throw notFound('Connection', id);
  await outbox.add(tx, { $case: 'connectionDeleted', value: { connectionId: id } }, orgId);
  await outbox.record(tx, { id, name, workspaceId, reason: by.reason }, by.user);
}
