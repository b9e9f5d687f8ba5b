import { notFound } from '@drawbridge/contracts';
import { newestFirst, resume, suspend, toWire } from '@drawbridge/database';
import { type AuditedChange, type AuditedUser } from '@drawbridge/events';
import {
  type Connection,
  type ConnectionError,
  type ConnectionList,
  type ConnectionServiceDefinition,
  type ListConnectionsRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Implementation, requireInScope, workspacesInScope } from '@drawbridge/rpc';
import { placeOf } from './connection-scope.js';
import { createConnection } from './create-connection.js';
import { type Parts } from './parts.js';
import { type ConnectionRow, type Db, type Transaction } from './database.js';
import { resolveConnection } from './select-connection.js';

export function connectionRpcs(parts: Parts): Implementation<ConnectionServiceDefinition> {
  const { db, find, outbox, findLimit, onCommit } = parts;
  return {
    listConnections: (page) => listConnections(db, page),

    getConnection: async ({ id }) => toConnection(await findInScope(db, id)),

    async createConnection(request) {
      const row = await createConnection(parts, request);
      onCommit();
      return toConnection(row);
    },

    suspendConnection: ({ id }) => setSuspension(parts, id, async (tx, which) => suspend(tx.connection, which)),

    async resumeConnection({ id }) {
      const limitIn = await findLimit((await findInScope(db, id)).orgId);
      return setSuspension(parts, id, (tx, which) =>
        resume(tx, tx.connection, { which, table: 'connections', limit: () => limitIn(tx) }),
      );
    },

    async deleteConnection({ id }) {
      await deleteConnection(parts, await findInScope(db, id));
      return { deleted: true, id };
    },

    async resolveConnection(request) {
      const row = await findConnection(db, await resolveConnection(find, caller().orgId, request));
      await outbox.record(db, { id: row.id, name: row.displayName, workspaceId: request.workspaceId });
      return toConnection(row);
    },

    async getConnectionUsage() {
      const total = await db.total.findUnique({ where: { orgId_of: { orgId: caller().orgId, of: 'connections' } } });
      return { connections: total?.rows ?? 0 };
    },

    async batchGetConnections({ ids }) {
      const rows = await db.connection.findMany({ where: { orgId: caller().orgId, id: { in: ids } } });
      requireInScope(...rows.map(placeOf));
      return { connections: rows.map(toConnection), total: rows.length };
    },
  };
}

async function listConnections(db: Db, page: ListConnectionsRequest): Promise<ConnectionList> {
  const table = { rows: db.connection, totals: db.total, name: 'connections' };
  const own = workspacesInScope();
  const inWorkspaces = own && { db, table: 'connections.connections', ids: own };
  const { rows, total } = await newestFirst(table, { orgId: caller().orgId, inWorkspaces }, page);
  return { connections: rows.map(toConnection), total };
}

async function setSuspension(
  { db, outbox, onCommit }: Parts,
  id: string,
  change: (tx: Transaction, which: { id: string; orgId: string }) => Promise<void>,
): Promise<Connection> {
  const found = await findInScope(db, id);
  await db.$transaction(async (tx) => {
    await change(tx, { id, orgId: found.orgId });
    await outbox.record(tx, changeOf(found));
  });
  onCommit();
  return toConnection(await findConnection(db, id));
}

function changeOf({ id, displayName, workspaceId }: ConnectionRow): AuditedChange {
  return { id, name: displayName, workspaceId };
}

/** Returns a connection of the caller's organization, suspended or not. Throws NOT_FOUND. */
async function findConnection(db: Db, id: string): Promise<ConnectionRow> {
  const row = await db.connection.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Connection', id);
  return row;
}

/** Returns a connection within the scope of the caller. Throws NOT_FOUND and SCOPE_DENIED. */
export async function findInScope(db: Db, id: string): Promise<ConnectionRow> {
  const row = await findConnection(db, id);
  requireInScope(placeOf(row));
  return row;
}

function toConnection(row: ConnectionRow): Connection {
  return { ...toWire(row), error: (row.error as unknown as ConnectionError | null) ?? undefined };
}

/**
 * Deletes a connection and records the event and the audit log entry. `by` contains the reason, and the actor if the request has no caller. Throws
 * NOT_FOUND if the connection was already deleted.
 */
export async function deleteConnection(
  { db, outbox, onCommit }: Parts,
  row: ConnectionRow,
  by: { user?: AuditedUser; reason?: string } = {},
): Promise<void> {
  const { id, orgId } = row;
  await db.$transaction(async (tx) => {
    const { count } = await tx.connection.deleteMany({ where: { id, orgId } });
    if (count === 0) throw notFound('Connection', id);
    await outbox.add(tx, { $case: 'connectionDeleted', value: { connectionId: id } }, orgId);
    await outbox.record(tx, { ...changeOf(row), reason: by.reason }, by.user);
  });
  onCommit();
  outbox.wake();
}
