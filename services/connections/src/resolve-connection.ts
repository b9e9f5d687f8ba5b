import { ApiError } from '@drawbridge/contracts';
import {
  type WorkspaceIntegration,
  WorkspaceIntegrationServiceDefinition,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
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
  const catalog = network.client('catalog', WorkspaceIntegrationServiceDefinition);

  // Spec silent: a configured strategy that leads to nothing is an answer; another connection would not be used.
  const byStrategy = async (place: Place, instance: WorkspaceIntegration): Promise<Candidate[]> => {
    const { connectionStrategy: strategy, connectionId } = instance;
    return eligible(await find.configured(place, connectionId), { strategy, connectionId });
  };

  return async ({ externalId, ...wanted }) => {
    const place = { ...wanted, orgId: caller().orgId };
    // Also says whether the workspace is the caller's.
    const { integrations } = await catalog.listWorkspaceIntegrations({ workspaceId: wanted.workspaceId });
    await acceptedTypes(wanted.integrationName);
    const instance = instanceOf(integrations, wanted.integrationName);
    const candidates = externalId
      ? await find.named(place, externalId)
      : await (instance ? byStrategy(place, instance) : find.newestUsable(place));

    const choice = chooseConnection(candidates);
    if (choice && !choice.obstacle) return choice.id;
    const which = externalId ? ` ${externalId}` : '';
    throw new ApiError('CONNECTION_NOT_FOUND', `No usable ${wanted.integrationName} connection${which} found`);
  };
}

/** The one that a call without a selector means: the only one, else the one whose alias is the integration's name. */
function instanceOf(integrations: WorkspaceIntegration[], integrationName: string): WorkspaceIntegration | undefined {
  const its = integrations.filter((integration) => integration.integrationName === integrationName);
  return its.length === 1 ? its[0] : its.find(({ alias }) => alias === integrationName);
}
