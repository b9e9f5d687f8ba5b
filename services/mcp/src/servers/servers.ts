import { newestFirst, resume, suspend } from '@drawbridge/database';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type McpServer } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import {
  type ListMcpServersRequest,
  type McpServerDetail,
  type McpServerList,
  type McpServerServiceDefinition,
  type McpServerUsage,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { caller, type Implementation, workspacesInScope } from '@drawbridge/rpc';
import { type Prisma } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import { LISTED, toMcpTool } from '../tools/tool-rows.js';
import { createServer, updateServer } from './change-server.js';
import { findServer, lockServer, recordChange, toMcpServer } from './server-rows.js';
import { regenerateBearer } from './static-bearer.js';

export const servers = (parts: Parts): Implementation<McpServerServiceDefinition> => ({
  listMcpServers: (request) => list(parts, request),

  createMcpServer: (request) => createServer(parts, request),

  getMcpServer: ({ id }) => detail(parts, id),

  updateMcpServer: (request) => updateServer(parts, request),

  suspendMcpServer: ({ id }) => changeSuspension(parts, id, (tx, which) => suspend(tx.server, which)),

  async resumeMcpServer({ id }) {
    await findServer(parts.db, id);
    const limitIn = await parts.findLimit(caller().orgId);
    return changeSuspension(parts, id, (tx, which) =>
      resume(tx, tx.server, { which, table: 'servers', limit: () => limitIn(tx) }),
    );
  },

  getMcpServerUsage: () => count(parts),

  deleteMcpServer: ({ id }) => deleteServer(parts, id),

  regenerateMcpBearer: ({ id }) => regenerateBearer(parts, id),
});

async function list(
  { db, requireWorkspaceNow }: Parts,
  { workspaceId, ...page }: ListMcpServersRequest,
): Promise<McpServerList> {
  if (workspaceId !== undefined) await requireWorkspaceNow(workspaceId);
  const table = { rows: db.server, totals: db.total, name: 'servers' };
  const ids = workspaceId === undefined ? workspacesInScope() : [workspaceId];
  const inWorkspaces = ids && { db, table: 'mcp.servers', ids };
  const { rows, total } = await newestFirst(table, { orgId: caller().orgId, inWorkspaces }, page);
  return { servers: rows.map(toMcpServer), total };
}

async function count({ db }: Parts): Promise<McpServerUsage> {
  const total = await db.total.findUnique({ where: { orgId_of: { orgId: caller().orgId, of: 'servers' } } });
  return { mcpServers: total?.rows ?? 0 };
}

async function detail({ db }: Parts, id: string): Promise<McpServerDetail> {
  const server = await findServer(db, id);
  const where = { serverId: server.id, orgId: server.orgId };
  const tools = await db.tool.findMany({ where, orderBy: LISTED });
  return { server: toMcpServer(server), tools: tools.map(toMcpTool) };
}

async function changeSuspension(
  { db, outbox }: Parts,
  id: string,
  write: (tx: Prisma.TransactionClient, which: { id: string; orgId: string }) => Promise<unknown>,
): Promise<McpServer> {
  const { orgId } = await findServer(db, id);
  return db.$transaction(async (tx) => {
    await write(tx, { id, orgId });
    const row = await lockServer(tx, id);
    await recordChange(tx, outbox, { before: row, now: row });
    return toMcpServer(row);
  });
}

/** Deletes a server, also a suspended server. Throws NOT_FOUND, and FORBIDDEN in a suspended workspace. */
async function deleteServer(parts: Parts, id: string): Promise<Deleted> {
  const { db, outbox, sharing, requireWorkspaceNow } = parts;
  const { workspaceId } = await findServer(db, id);
  await requireWorkspaceNow(workspaceId);
  const { shareId } = await db.$transaction(async (tx) => {
    const before = await lockServer(tx, id);
    await tx.server.deleteMany({ where: { id, orgId: before.orgId } });
    await recordChange(tx, outbox, { before, now: null });
    return before;
  });
  await sharing.withdraw(workspaceId, shareId);
  return { deleted: true, id };
}
