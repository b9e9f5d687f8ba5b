import { ApiError } from '@drawbridge/contracts';
import { type Instance, InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type ResolveConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { caller, type Network } from '@drawbridge/rpc';
import { type Candidate, chooseConnection, eligible } from './choose-connection.js';
import { type FindCandidates, type Place } from './find-candidates.js';
import { type AcceptedTypes } from './integrations.js';

export type ResolveConnection = (request: ResolveConnectionRequest) => Promise<string>;

/**
 * The id of the connection that a call would use: the one of the externalId; without one what the workspace's instance
 * of the integration leads to; without an instance the best match. Only usable ones. Fails with NOT_FOUND (workspace),
 * VALIDATION_ERROR (integration) and CONNECTION_NOT_FOUND.
 */
export function resolveConnection(
  network: Network,
  find: FindCandidates,
  acceptedTypes: AcceptedTypes,
): ResolveConnection {
  const catalog = network.client('catalog', InvocationServiceDefinition);

  // Spec silent: a configured strategy that leads to nothing is an answer; another connection would not be used.
  const byStrategy = async (place: Place, instance: Instance): Promise<Candidate[]> => {
    const { connectionStrategy: strategy, connectionId } = instance;
    return eligible(await find.configured(place, connectionId), { strategy, connectionId });
  };

  return async ({ externalId, ...wanted }) => {
    const place = { ...wanted, orgId: caller().orgId };
    const { workspaceId, integrationName } = wanted;
    // Also says whether the workspace is the caller's.
    const { instance } = await catalog.getDefaultInstance({ workspaceId, integrationName });
    await acceptedTypes(integrationName);
    const candidates = externalId
      ? await find.named(place, externalId)
      : await (instance ? byStrategy(place, instance) : find.newestUsable(place));

    const choice = chooseConnection(candidates);
    if (choice && !choice.obstacle) return choice.id;
    const which = externalId ? ` ${externalId}` : '';
    throw new ApiError('CONNECTION_NOT_FOUND', `No usable ${wanted.integrationName} connection${which} found`);
  };
}
