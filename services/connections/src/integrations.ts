import { ApiError, invalid } from '@drawbridge/contracts';
import { IntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { type Network } from '@drawbridge/rpc';
import { LRUCache } from 'lru-cache';

/** Integrations change with a release of the catalog alone. Only found ones are kept. */
const KEPT = { max: 1_000, ttl: 60_000 };

export type AcceptedTypes = ReturnType<typeof acceptedTypes>;

/** The connection types of an integration, as the catalog says. Fails with VALIDATION_ERROR on `integrationName`. */
export function acceptedTypes(network: Network) {
  const catalog = network.client('catalog', IntegrationServiceDefinition);
  const known = new LRUCache<string, readonly string[]>(KEPT);

  return async (integrationName: string): Promise<readonly string[]> => {
    const kept = known.get(integrationName);
    if (kept) return kept;
    const { auth } = await catalog.getIntegration({ name: integrationName }).catch((error: unknown) => {
      throw isUnknown(error) ? invalid({ integrationName: `there is no integration ${integrationName}` }) : error;
    });
    const types = auth?.types ?? [];
    known.set(integrationName, types);
    return types;
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'INTEGRATION_NOT_FOUND';
}
