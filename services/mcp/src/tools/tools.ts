import { masked, notFound } from '@drawbridge/contracts';
import { type CheckedTool } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type AddMcpToolRequest,
  type McpTool,
  McpToolChangesNullable,
  type McpToolServiceDefinition,
  NewMcpTool,
  type RemoveMcpToolRequest,
  type UpdateMcpToolRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { type Implementation } from '@drawbridge/rpc';
import { type Prisma, type Server, type Tool } from '../gen/prisma/client.js';
import { findServer } from '../servers/find-server.js';
import { ANOTHER_VERSION, lockServer } from '../servers/lock-server.js';
import { requireUsable } from '../servers/require-usable.js';
import { requireRoom } from './room.js';
import { isMoving, toChangedTool, toColumns, toNewTool } from './tool-columns.js';
import { type ToolParts } from './tool-parts.js';
import { changeOf, toMcpTool } from './to-tool.js';

export const tools = (parts: ToolParts): Implementation<McpToolServiceDefinition> => ({
  addMcpTool: (request) => add(parts, request),

  updateMcpTool: (request) => update(parts, request),

  removeMcpTool: (request) => remove(parts, request),
});

/** Returns a server. Throws NOT_FOUND, SCOPE_DENIED, and FORBIDDEN if it is suspended. */
async function usableServer(parts: ToolParts, serverId: string): Promise<Server> {
  const server = await findServer(parts.db, serverId);
  await requireUsable(parts, server);
  return server;
}

async function add(parts: ToolParts, { serverId, tool }: AddMcpToolRequest): Promise<McpTool> {
  const { orgId, workspaceId } = await usableServer(parts, serverId);
  const wanted = toNewTool(NewMcpTool.create(tool));
  const target = toTarget(await parts.catalog.checkTool({ ...wanted.asked, workspaceId }));
  const data = { ...wanted.columns, orgId, workspaceId, serverId, ...target };
  return change(parts, serverId, (tx) => tx.tool.create({ data }));
}

/** If the alias changes, unchanged fields are checked again, because they then apply to another integration. */
async function update(parts: ToolParts, { serverId, id, ...patch }: UpdateMcpToolRequest): Promise<McpTool> {
  const changes = masked(patch, McpToolChangesNullable, 'VALIDATION_ERROR');
  const { orgId, workspaceId } = await usableServer(parts, serverId);
  const where = { id, serverId, orgId };
  const before = await parts.db.tool.findFirst({ where });
  if (!before) throw notFound('MCP tool', id);
  const checked = await parts.catalog.checkTool({ ...toChangedTool(before, changes), workspaceId });
  const data = { ...toColumns(changes), ...(isMoving(changes) && toTarget(checked)) };
  return change(parts, serverId, async (tx) => {
    const [row] = await tx.tool.updateManyAndReturn({ where, data });
    if (!row) throw notFound('MCP tool', id);
    return row;
  });
}

/** Returns the configured integration of a tool. An older version of catalog does not return hasOwnAlias. */
function toTarget({ workspaceIntegrationId, hasOwnAlias }: CheckedTool) {
  return { workspaceIntegrationId: workspaceIntegrationId ?? null, hasOwnAlias };
}

/** Serializes the changes of a server, so that each one is checked against the result of the previous one. */
async function change(
  { db, guard, outbox }: ToolParts,
  serverId: string,
  write: (tx: Prisma.TransactionClient) => Promise<Tool>,
): Promise<McpTool> {
  const row = await db.$transaction(async (tx) => {
    const { orgId, workspaceId } = await lockServer(tx, serverId);
    await guard.requireNotDeleted(tx, workspaceId);
    const written = await write(tx);
    await requireRoom(tx, written);
    await tx.server.update({ where: { id: serverId, orgId }, data: ANOTHER_VERSION });
    await outbox.record(tx, changeOf(written));
    return written;
  });
  return toMcpTool(row);
}

async function remove(parts: ToolParts, { serverId, id }: RemoveMcpToolRequest): Promise<Deleted> {
  await usableServer(parts, serverId);
  await parts.db.$transaction(async (tx) => {
    const { orgId } = await lockServer(tx, serverId);
    const where = { id, serverId, orgId };
    const row = await tx.tool.findFirst({ where });
    if (!row) throw notFound('MCP tool', id);
    await tx.tool.deleteMany({ where });
    await tx.server.update({ where: { id: serverId, orgId }, data: ANOTHER_VERSION });
    await parts.outbox.record(tx, changeOf(row));
  });
  return { deleted: true, id };
}
