import { invalid } from '@drawbridge/contracts';
import { findPiece } from '@drawbridge/pieces';
import { type InvocationServiceDefinition, type OfferList } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type Implementation } from '@drawbridge/rpc';
import { configuredIn, defaultInstance } from './configured-instances.js';
import { explainInvocation } from './explain-invocation.js';
import { type Parts } from './parts.js';
import { resolveInvocation, resolveTrigger } from './resolve-invocation.js';

export function invocations(parts: Parts): Implementation<InvocationServiceDefinition> {
  const { requireWorkspaceNow, instances } = parts;
  return {
    resolveInvocation: (request) => resolveInvocation(parts, request),

    resolveTrigger: (request) => resolveTrigger(parts, request),

    explainInvocation: (request) => explainInvocation(parts, request),

    async getDefaultInstance({ workspaceId, integrationName }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow);
      if (!findPiece(integrationName))
        throw invalid({ integrationName: `the integration ${integrationName} does not exist` });
      return { instance: defaultInstance(configured, integrationName)?.instance };
    },

    listOffers: async ({ orgId, placeId: workspaceId }) => offersOf(await instances.of({ orgId, workspaceId })),

    async getInstance({ workspaceId, workspaceIntegrationId: id }) {
      const configured = await configuredIn(instances, workspaceId, requireWorkspaceNow);
      const found = configured.find(({ instance }) => instance.id === id.toLowerCase());
      if (!found) throw invalid({ workspaceIntegrationId: `the workspace of this end user has no integration ${id}` });
      return { integrationName: found.integrationName };
    },
  };
}

/** Returns the configured integrations that use connections. */
function offersOf(configured: readonly { integrationName: string }[]): OfferList {
  const names = new Set(configured.map(({ integrationName }) => integrationName));
  return { integrationNames: [...names].filter((name) => findPiece(name)?.auth?.types.length) };
}
