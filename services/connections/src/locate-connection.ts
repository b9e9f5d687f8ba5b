import { invalid } from '@drawbridge/contracts';
import { type ConnectionPlace, type LocateConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller, requireInScope } from '@drawbridge/rpc';
import { obstacleTo } from './choose-connection.js';
import { placeOf } from './connection-scope.js';
import { type Db } from './database.js';
import { unusable } from './select-connection.js';

/**
 * Where a connection is to be had that a caller named by its id. Throws VALIDATION_ERROR on `connectionId` for one that is not the
 * integration's, SCOPE_DENIED, and CONNECTION_REQUIRED for one that can't be used.
 */
export async function locateConnection(
  db: Db,
  { integrationName, connectionId: id }: LocateConnectionRequest,
): Promise<ConnectionPlace> {
  const row = await db.connection.findFirst({ where: { id, orgId: caller().orgId } });
  const place = row && placeOf(row);
  if (row) requireInScope(place);
  if (row?.integrationName !== integrationName) {
    throw invalid({ connectionId: `there is no ${integrationName} connection ${id}` });
  }
  const obstacle = obstacleTo(row);
  if (obstacle) throw unusable(integrationName, { id, obstacle });
  return { workspaceId: place ?? undefined, endUserId: (row.scope === 'USER' && row.endUserId) || undefined };
}
