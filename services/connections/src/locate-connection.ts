import { invalid } from '@drawbridge/contracts';
import { type ConnectionPlace, type LocateConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { caller, requireInScope } from '@drawbridge/rpc';
import { obstacleTo } from './choose-connection.js';
import { placeOf } from './connection-scope.js';
import { type Db } from './database.js';
import { unusable } from './select-connection.js';

/**
 * Returns the workspace and the end user of a connection that a caller named by id. Throws VALIDATION_ERROR on `connectionId` if it belongs to
 * another integration, SCOPE_DENIED, and CONNECTION_REQUIRED if it cannot be used.
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
