import { newestFirst } from '@drawbridge/database';
import {
  type ConnectionServiceDefinition,
  type ConnectionUsage,
} from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { placeOf } from './connection-scope.js';
import { connectionSuspension } from './connection-suspension.js';
import { createConnection, type CreateDependencies } from './create-connection.js';
import { type Db } from './database.js';
import { deleteConnection } from './delete-connection.js';
import { findConnection, findInScope, toConnection } from './find-connection.js';
import { type FindCandidates } from './find-candidates.js';
import { resolveConnection } from './resolve-connection.js';

export const connectionRpcs = (
  db: Db,
  find: FindCandidates,
  { onCommit, outbox, ...parts }: CreateDependencies & { onCommit(): void },
): Implementation<ConnectionServiceDefinition> => ({
  async listConnections(page) {
    const table = { rows: db.connection, totals: db.total, name: 'connections' };
    const own = workspacesInScope();
    const inWorkspaces = own && { db, table: 'connections.connections', ids: own };
    const { rows, total } = await newestFirst(table, { orgId: caller().orgId, inWorkspaces }, page);
    return { connections: rows.map(toConnection), total };
  },

  getConnection: async ({ id }) => toConnection(await findInScope(db, id)),

  async createConnection(request) {
    const row = await createConnection(db, request, { outbox, ...parts });
    onCommit();
    return toConnection(row);
  },

  ...connectionSuspension(db, { findLimit: parts.findLimit, outbox, onCommit }),

  async deleteConnection({ id }) {
    const found = await findInScope(db, id);
    await db.$transaction((tx) => deleteConnection(tx, outbox, found));
    onCommit();
    outbox.wake();
    return { deleted: true, id };
  },

  async resolveConnection(request) {
    const row = await findConnection(db, await resolveConnection(find, caller().orgId, request));
    await outbox.record(db, { id: row.id, name: row.displayName, workspaceId: request.workspaceId });
    return toConnection(row);
  },

  getConnectionUsage: () => countConnections(db),

  async batchGetConnections({ ids }) {
    const rows = await db.connection.findMany({ where: { orgId: caller().orgId, id: { in: ids } } });
    requireInScope(...rows.map(placeOf));
    return { connections: rows.map(toConnection), total: rows.length };
  },
});

async function countConnections(db: Db): Promise<ConnectionUsage> {
  const total = await db.total.findUnique({ where: { orgId_of: { orgId: caller().orgId, of: 'connections' } } });
  return { connections: total?.rows ?? 0 };
}
