import { ApiError } from '@drawbridge/contracts';
import { type ResolveConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { chooseConnection } from './choose-connection.js';
import { type FindCandidates } from './find-candidates.js';
import { pickConnection } from './pick-connection.js';

/**
 * Returns the id of the connection that a call would use: the one of the externalId; without one, that of the workspace's configured integration;
 * without that, the best match. Only usable connections count. Throws CONNECTION_NOT_FOUND.
 */
export async function resolveConnection(
  find: FindCandidates,
  orgId: string,
  { externalId, connectionStrategy: strategy, connectionId, ...wanted }: ResolveConnectionRequest,
): Promise<string> {
  const place = { ...wanted, orgId };
  const says = externalId !== undefined || strategy !== undefined;
  // Spec silent: if a configured strategy finds no connection, no other connection is used.
  const choice = says
    ? await pickConnection(find, place, { externalId, strategy, connectionId })
    : chooseConnection(await find.newestUsable(place));

  if (choice && !choice.obstacle) return choice.id;
  const which = externalId ? ` ${externalId}` : '';
  throw new ApiError('CONNECTION_NOT_FOUND', `No usable ${wanted.integrationName} connection${which} found`);
}
