import { join } from 'node:path';
import { addPieces } from '@drawbridge/pieces';
import { McpAccessServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { McpCodeServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/code';
import { McpOAuthServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { McpServerServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { McpTokenServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { McpToolServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { expose } from '@drawbridge/rpc';
import { defineService, planFit } from '@drawbridge/service';
import { access } from './access/access.js';
import { codeAccess } from './access/code-access.js';
import { followedBy } from './access/followed-by.js';
import { consumers, emptyWorkspace, EXPIRING } from './deletion.js';
import { PrismaClient } from './gen/prisma/client.js';
import { oauth } from './oauth/oauth.js';
import { openParts, VARIABLES } from './parts.js';
import { servers } from './servers/servers.js';
import { tokens } from './tokens/tokens.js';
import { tools } from './tools/tools.js';

/** Stores MCP servers and their tools, and authorizes the agents that use them. */
export const mcp = defineService({
  name: 'mcp',
  variables: VARIABLES,
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: ['OAuthClient'],
    counted: [{ name: 'servers', isSuspendable: true }],
  },
  emptyWorkspace,
  async assemble(resources) {
    await addPieces(resources.config.INTEGRATIONS_DIR);
    const parts = openParts(resources);
    const changing = <D extends object>(rpcs: D): D => followedBy(rpcs, () => parts.accessOf.forget());
    const fit = planFit({ pool: parts.pool, service: 'mcp', table: 'servers', log: resources.log });
    return {
      rpcs: [
        expose(McpServerServiceDefinition, changing(servers(parts))),
        expose(McpToolServiceDefinition, changing(tools(parts))),
        expose(McpTokenServiceDefinition, changing(tokens(parts))),
        expose(McpAccessServiceDefinition, access(parts)),
        expose(McpCodeServiceDefinition, codeAccess(parts)),
        expose(McpOAuthServiceDefinition, changing(oauth(parts))),
      ],
      consumers: { ...consumers, planChanged: fit.note },
      background: [fit],
      expiring: EXPIRING,
      close: parts.close,
    };
  },
});
