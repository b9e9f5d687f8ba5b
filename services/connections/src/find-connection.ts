import { notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Connection, type ConnectionError } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, requireInScope } from '@drawbridge/rpc';
import { placeOf } from './connection-scope.js';
import { type ConnectionRow, type Db } from './database.js';

/** Returns a connection of the caller's organization, suspended or not. Throws NOT_FOUND. */
export async function findConnection(db: Db, id: string): Promise<ConnectionRow> {
  const row = await db.connection.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('Connection', id);
  return row;
}

/** Returns a connection in the scope of this RPC. Throws NOT_FOUND and SCOPE_DENIED. */
export async function findInScope(db: Db, id: string): Promise<ConnectionRow> {
  const row = await findConnection(db, id);
  requireInScope(placeOf(row));
  return row;
}

export function toConnection(row: ConnectionRow): Connection {
  return { ...toWire(row), error: (row.error as unknown as ConnectionError | null) ?? undefined };
}
