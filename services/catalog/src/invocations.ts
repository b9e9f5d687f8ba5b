import { invalid } from '@drawbridge/contracts';
import { findPiece } from '@drawbridge/pieces';
import { type InvocationServiceDefinition, type OfferList } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { configuredIn, defaultInstance } from './configured-instances.js';
import { explainInvocation } from './explain-invocation.js';
import { resolveInvocation, type ResolveNeeds, resolveTrigger } from './resolve-invocation.js';

type Needs = ResolveNeeds & { pool: Pool };

export function invocations(needs: Needs): Implementation<InvocationServiceDefinition> {
  const { requireWorkspaceNow, instances } = needs;
  return {
    resolveInvocation: (request) => resolveInvocation(needs, request),

    resolveTrigger: (request) => resolveTrigger(needs, request),

    explainInvocation: (request) => explainInvocation(needs, request),

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
