import { resume, suspend } from '@drawbridge/database';
import { type AuditedChange } from '@drawbridge/events';
import { type ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type CreateDependencies } from './create-connection.js';
import { type ConnectionRow, type Db } from './database.js';
import { findConnection, findInScope, toConnection } from './find-connection.js';

type Suspension = Pick<Implementation<ConnectionServiceDefinition>, 'suspendConnection' | 'resumeConnection'>;

export const connectionSuspension = (
  db: Db,
  { findLimit, outbox, onCommit }: Pick<CreateDependencies, 'findLimit' | 'outbox'> & { onCommit(): void },
): Suspension => ({
  async suspendConnection({ id }) {
    const found = await findInScope(db, id);
    await db.$transaction(async (tx) => {
      await suspend(tx.connection, { id, orgId: caller().orgId });
      await outbox.record(tx, changeOf(found));
    });
    onCommit();
    return toConnection(await findConnection(db, id));
  },

  async resumeConnection({ id }) {
    const found = await findInScope(db, id);
    const which = { id, orgId: caller().orgId };
    const limitIn = await findLimit(which.orgId);
    await db.$transaction(async (tx) => {
      await resume(tx, tx.connection, { which, table: 'connections', limit: () => limitIn(tx) });
      await outbox.record(tx, changeOf(found));
    });
    onCommit();
    return toConnection(await findConnection(db, id));
  },
});

function changeOf({ id, displayName, workspaceId }: ConnectionRow): AuditedChange {
  return { id, name: displayName, workspaceId };
}
