import { ApiError } from '@drawbridge/contracts';
import { type ResolveConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { chooseConnection } from './choose-connection.js';
import { type FindCandidates } from './find-candidates.js';
import { pickConnection } from './pick-connection.js';

/**
 * The id of the connection that a call would use: the one of the externalId; without one what the workspace's instance
 * of the integration leads to; without an instance the best match. Only usable ones. Throws CONNECTION_NOT_FOUND.
 */
export async function resolveConnection(
  find: FindCandidates,
  orgId: string,
  { externalId, connectionStrategy: strategy, connectionId, ...wanted }: ResolveConnectionRequest,
): Promise<string> {
  const place = { ...wanted, orgId };
  const says = externalId !== undefined || strategy !== undefined;
  // Spec silent: a configured strategy that leads to nothing is an answer; another connection would not be used.
  const choice = says
    ? await pickConnection(find, place, { externalId, strategy, connectionId })
    : chooseConnection(await find.newestUsable(place));

  if (choice && !choice.obstacle) return choice.id;
  const which = externalId ? ` ${externalId}` : '';
  throw new ApiError('CONNECTION_NOT_FOUND', `No usable ${wanted.integrationName} connection${which} found`);
}
