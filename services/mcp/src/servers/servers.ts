import { newestFirst } from '@drawbridge/database';
import {
  type ListMcpServersRequest,
  type McpServerDetail,
  type McpServerList,
  type McpServerServiceDefinition,
  type McpServerUsage,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { caller, type Implementation, workspacesInScope } from '@drawbridge/rpc';
import { type PrismaClient as Db } from '../gen/prisma/client.js';
import { LISTED } from '../tools/listed.js';
import { toMcpTool } from '../tools/to-tool.js';
import { createServer } from './create-server.js';
import { deleteServer } from './delete-server.js';
import { findServer } from './find-server.js';
import { regenerateBearer } from './regenerate-bearer.js';
import { type ServerParts } from './server-parts.js';
import { serverSuspension } from './server-suspension.js';
import { toMcpServer } from './to-server.js';
import { updateServer } from './update-server.js';

export const servers = (parts: ServerParts): Implementation<McpServerServiceDefinition> => ({
  listMcpServers: (request) => list(parts, request),

  createMcpServer: (request) => createServer(parts, request),

  getMcpServer: ({ id }) => detail(parts.db, id),

  updateMcpServer: (request) => updateServer(parts, request),

  ...serverSuspension(parts),

  getMcpServerUsage: () => count(parts.db),

  deleteMcpServer: ({ id }) => deleteServer(parts, id),

  regenerateMcpBearer: ({ id }) => regenerateBearer(parts, id),
});

async function list(
  { db, requireWorkspaceNow }: ServerParts,
  { workspaceId, ...page }: ListMcpServersRequest,
): Promise<McpServerList> {
  if (workspaceId !== undefined) await requireWorkspaceNow(workspaceId);
  const table = { rows: db.server, totals: db.total, name: 'servers' };
  const ids = workspaceId === undefined ? workspacesInScope() : [workspaceId];
  const inWorkspaces = ids && { db, table: 'mcp.servers', ids };
  const { rows, total } = await newestFirst(table, { orgId: caller().orgId, inWorkspaces }, page);
  return { servers: rows.map(toMcpServer), total };
}

async function count(db: Db): Promise<McpServerUsage> {
  const total = await db.total.findUnique({ where: { orgId_of: { orgId: caller().orgId, of: 'servers' } } });
  return { mcpServers: total?.rows ?? 0 };
}

async function detail(db: Db, id: string): Promise<McpServerDetail> {
  const server = await findServer(db, id);
  const where = { serverId: server.id, orgId: server.orgId };
  const tools = await db.tool.findMany({ where, orderBy: LISTED });
  return { server: toMcpServer(server), tools: tools.map(toMcpTool) };
}
