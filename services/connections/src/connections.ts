import { notFound } from '@drawbridge/contracts';
import { newestFirst, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import {
  type Connection,
  type ConnectionError,
  type ConnectionServiceDefinition,
} from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { placeOf } from './connection-scope.js';
import { createConnection, type CreateDependencies } from './create-connection.js';
import { type ConnectionRow, type Db } from './database.js';
import { type FindCandidates } from './find-candidates.js';
import { resolveConnection } from './resolve-connection.js';

export const connectionRpcs = (
  db: Db,
  find: FindCandidates,
  { outbox, onCommit, ...parts }: CreateDependencies & { outbox: Outbox; onCommit(): void },
): Implementation<ConnectionServiceDefinition> => ({
  async listConnections(page) {
    const table = { rows: db.connection, totals: db.total, name: 'connections' };
    const own = workspacesInScope();
    const scope = { orgId: caller().orgId, only: own && { workspaceId: { in: own } } };
    const { rows, total } = await newestFirst(table, scope, page);
    return { connections: rows.map(toConnection), total };
  },

  getConnection: async ({ id }) => toConnection(await getInScope(db, id)),

  async createConnection(request) {
    const row = await createConnection(db, request, parts);
    onCommit();
    return toConnection(row);
  },

  async deleteConnection({ id }) {
    const { orgId } = caller();
    await getInScope(db, id);
    await db.$transaction(async (tx) => {
      const { count } = await tx.connection.deleteMany({ where: { id, orgId } });
      if (count === 0) throw notFound('Connection', id);
      const payload = { $case: 'connectionDeleted' as const, value: { connectionId: id } };
      await outbox.add(tx, payload, orgId);
    });
    onCommit();
    outbox.wake();
    return { deleted: true, id };
  },

  resolveConnection: async (request) =>
    toConnection(await get(db, await resolveConnection(find, caller().orgId, request))),

  async batchGetConnections({ ids }) {
    const rows = await db.connection.findMany({ where: { orgId: caller().orgId, id: { in: ids } } });
    requireInScope(...rows.map(placeOf));
    return { connections: rows.map(toConnection), total: rows.length };
  },
});

async function getInScope(db: Db, id: string): Promise<ConnectionRow> {
  const row = await get(db, id);
  requireInScope(placeOf(row));
  return row;
}

async function get(db: Db, id: string): Promise<ConnectionRow> {
  const row = await db.connection.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Connection', id);
  return row;
}

function toConnection(row: ConnectionRow): Connection {
  return { ...toWire(row), error: (row.error as unknown as ConnectionError | null) ?? undefined };
}
