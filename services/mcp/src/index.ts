import { join } from 'node:path';
import { addPieces } from '@drawbridge/pieces';
import { LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { McpAccessServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { McpServerServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { expose, liveWorkspaces, lookUpWorkspace } from '@drawbridge/rpc';
import { defineService, PIECES_VARIABLES } from '@drawbridge/service';
import { access } from './access/access.js';
import { PrismaClient } from './gen/prisma/client.js';
import { emptyWorkspace } from './purge.js';
import { servers } from './servers/servers.js';

/** What workspaces offer to agents, and who may come for it. */
export const mcp = defineService({
  name: 'mcp',
  variables: PIECES_VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    counted: [{ name: 'servers', isSuspendable: true }],
  },
  emptyWorkspace,
  async assemble({ config, network, db, pool, guard, outbox }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const requireWorkspace = liveWorkspaces(network);
    const requireWorkspaceNow = lookUpWorkspace(network);
    const catalog = network.client('catalog', LinkedInstanceServiceDefinition);
    return {
      rpcs: [
        expose(McpServerServiceDefinition, servers({ db, guard, outbox, requireWorkspaceNow })),
        expose(McpAccessServiceDefinition, access({ db, pool, catalog, requireWorkspace })),
      ],
    };
  },
});
