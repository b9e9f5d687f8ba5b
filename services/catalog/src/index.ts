import { join } from 'node:path';
import { deleteOfWorkspace, purgeBySteps } from '@drawbridge/events';
import { addPieces } from '@drawbridge/pieces';
import { BearerShareServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/bearer_shares';
import { PartialServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/input_partials';
import { IntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { InvocationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/invocations';
import { LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { ToolServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { WorkspaceIntegrationServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { ConnectionServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { expose, liveWorkspaces, lookUpWorkspace } from '@drawbridge/rpc';
import { defineService, PIECES_VARIABLES } from '@drawbridge/service';
import { bearerShares, LOST_SHARES, shareConsumers } from './bearer-shares.js';
import { configuredInstances } from './configured-instances.js';
import { PrismaClient } from './gen/prisma/client.js';
import { integrations } from './integrations.js';
import { invocations } from './invocations.js';
import { linkedInstances } from './linked-instances.js';
import { appliedPartials } from './partials/apply-partials.js';
import { partials } from './partials/partials.js';
import { type Parts } from './parts.js';
import { tools } from './tools.js';
import { forgetConnections } from './workspace-integration-rows.js';
import { workspaceIntegrations } from './workspace-integrations.js';

/** The service for the catalog: the available integrations, how each workspace configured them, and which configuration a call selects. */
export const catalog = defineService({
  name: 'catalog',
  variables: PIECES_VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
  },
  emptyWorkspace: purgeBySteps(
    deleteOfWorkspace('catalog.input_partials'),
    deleteOfWorkspace('catalog.workspace_integrations'),
    deleteOfWorkspace('catalog.bearer_shares'),
  ),
  async assemble({ config, network, db, pool, guard, outbox }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const parts: Parts = {
      ...{ db, pool, guard, outbox },
      connections: network.client('connections', ConnectionServiceDefinition),
      requireWorkspace: liveWorkspaces(network),
      requireWorkspaceNow: lookUpWorkspace(network),
      instances: configuredInstances(pool),
      partials: appliedPartials(pool),
    };
    return {
      rpcs: [
        expose(IntegrationServiceDefinition, integrations()),
        expose(WorkspaceIntegrationServiceDefinition, workspaceIntegrations(parts)),
        expose(PartialServiceDefinition, partials(parts)),
        expose(BearerShareServiceDefinition, bearerShares(parts)),
        expose(LinkedInstanceServiceDefinition, linkedInstances(parts)),
        expose(InvocationServiceDefinition, invocations(parts)),
        expose(ToolServiceDefinition, tools(parts)),
      ],
      expiring: [LOST_SHARES],
      consumers: { connectionDeleted: forgetConnections, ...shareConsumers },
    };
  },
});
