import { resume, suspend } from '@drawbridge/database';
import { type ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type CreateDependencies } from './create-connection.js';
import { type Db } from './database.js';
import { findConnection, findInScope, toConnection } from './find-connection.js';

type Suspension = Pick<Implementation<ConnectionServiceDefinition>, 'suspendConnection' | 'resumeConnection'>;

export const connectionSuspension = (
  db: Db,
  { findLimit, onCommit }: Pick<CreateDependencies, 'findLimit'> & { onCommit(): void },
): Suspension => ({
  async suspendConnection({ id }) {
    await findInScope(db, id);
    await suspend(db.connection, { id, orgId: caller().orgId });
    onCommit();
    return toConnection(await findConnection(db, id));
  },

  async resumeConnection({ id }) {
    await findInScope(db, id);
    const which = { id, orgId: caller().orgId };
    const limit = await findLimit();
    const quota = { which, table: 'connections', limit: async () => limit };
    await db.$transaction((tx) => resume(tx, tx.connection, quota));
    onCommit();
    return toConnection(await findConnection(db, id));
  },
});
