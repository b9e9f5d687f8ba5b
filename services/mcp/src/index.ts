import { join } from 'node:path';
import { configuredEgress, EGRESS_VARIABLES } from '@drawbridge/egress';
import { addPieces } from '@drawbridge/pieces';
import { LinkedInstanceServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { IdentityServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { McpAccessServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { McpOAuthServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { McpServerServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { McpTokenServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { McpToolServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { expose, liveWorkspaces, lookUpWorkspace } from '@drawbridge/rpc';
import { defineService, PIECES_VARIABLES, planFit } from '@drawbridge/service';
import { access } from './access/access.js';
import { isThere } from './access/is-there.js';
import { consumers } from './forget.js';
import { PrismaClient } from './gen/prisma/client.js';
import { clientDocuments } from './oauth/client-documents.js';
import { oauth, OLD_OAUTH } from './oauth/oauth.js';
import { emptyWorkspace } from './purge.js';
import { serverLimit } from './servers/server-limit.js';
import { sharing } from './servers/sharing.js';
import { servers } from './servers/servers.js';
import { endUsers } from './tokens/find-end-user.js';
import { OLD_TOKENS } from './tokens/retention-rules.js';
import { tokens } from './tokens/tokens.js';
import { tools } from './tools/tools.js';

/** MCP servers: what workspaces offer to agents, and who has access to it. */
export const mcp = defineService({
  name: 'mcp',
  variables: { ...EGRESS_VARIABLES, ...PIECES_VARIABLES },
  database: {
    client: (options) => new PrismaClient(options),
    migrations: join(import.meta.dirname, '../prisma/migrations'),
    shared: ['OAuthClient'],
    counted: [{ name: 'servers', isSuspendable: true }],
  },
  emptyWorkspace,
  async assemble({ config, network, db, pool, guard, outbox, log }) {
    await addPieces(config.INTEGRATIONS_DIR);
    const requireWorkspace = liveWorkspaces(network);
    const requireWorkspaceNow = lookUpWorkspace(network);
    const egress = configuredEgress(config);
    const findDocument = clientDocuments((host) => egress.sendFor(`OAuth clients of ${host}`));
    const identities = network.client('connections', IdentityServiceDefinition);
    const catalog = network.client('catalog', LinkedInstanceServiceDefinition);
    const parts = {
      db,
      guard,
      outbox,
      requireWorkspaceNow,
      sharing: sharing({ network, log }),
      findEndUser: endUsers(network),
      findLimit: serverLimit(network),
    };
    const known = { pool, requireWorkspace, isThere: isThere(parts.findEndUser) };
    const fit = planFit({ pool, service: 'mcp', table: 'servers', log });
    return {
      rpcs: [
        expose(McpServerServiceDefinition, servers(parts)),
        expose(McpToolServiceDefinition, tools({ ...parts, catalog })),
        expose(McpTokenServiceDefinition, tokens(parts)),
        expose(McpAccessServiceDefinition, access({ db, catalog, ...known })),
        expose(McpOAuthServiceDefinition, oauth({ ...parts, ...known, identities, catalog, findDocument })),
      ],
      consumers: { ...consumers, planChanged: fit.note },
      background: [fit],
      expiring: [OLD_TOKENS, ...OLD_OAUTH],
      close: () => egress.close(),
    };
  },
});
