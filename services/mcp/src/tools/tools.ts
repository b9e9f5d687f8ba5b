import { ApiError, masked, notFound, requireCount } from '@drawbridge/contracts';
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
import { ANOTHER_VERSION, findServer, lockServer, requireUsable } from '../servers/server-rows.js';
import { changeOf, isMoving, toChangedTool, toColumns, toMcpTool, toNewTool } from './tool-rows.js';
import { type Parts } from '../parts.js';

export const tools = (parts: Parts): Implementation<McpToolServiceDefinition> => ({
  addMcpTool: (request) => add(parts, request),

  updateMcpTool: (request) => update(parts, request),

  removeMcpTool: (request) => remove(parts, request),
});

/** Returns a server that can be changed. Throws NOT_FOUND, SCOPE_DENIED, and FORBIDDEN if the server or its workspace is suspended. */
async function usableServer(parts: Parts, serverId: string): Promise<Server> {
  const server = await findServer(parts.db, serverId);
  await requireUsable(parts, server);
  return server;
}

async function add(parts: Parts, { serverId, tool }: AddMcpToolRequest): Promise<McpTool> {
  const { orgId, workspaceId } = await usableServer(parts, serverId);
  const wanted = toNewTool(NewMcpTool.create(tool));
  const target = toTarget(await parts.catalog.checkTool({ ...wanted.asked, workspaceId }));
  const data = { ...wanted.columns, orgId, workspaceId, serverId, ...target };
  return change(parts, serverId, (tx) => tx.tool.create({ data }));
}

/** Updates a tool. If its alias changes, its partials are checked again, because it may then belong to another configured integration. */
async function update(parts: Parts, { serverId, id, ...patch }: UpdateMcpToolRequest): Promise<McpTool> {
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

/** Returns the columns for the configured integration of a tool. During an upgrade, an older version of catalog may not return hasOwnAlias. */
function toTarget({ workspaceIntegrationId, hasOwnAlias }: CheckedTool) {
  return { workspaceIntegrationId: workspaceIntegrationId ?? null, hasOwnAlias };
}

/** Writes a tool under the lock of its server, so that the limits of the server are checked after one change at a time. */
async function change(
  { db, guard, outbox }: Parts,
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

async function remove(parts: Parts, { serverId, id }: RemoveMcpToolRequest): Promise<Deleted> {
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

/** Maximum number of tools that can be added to one server, because one response contains all of them. */
const MAX_TOOLS = 500;
/** Maximum size of the descriptions, display names and default inputs of all tools of a server, in bytes: one RPC message contains all of them. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Checks the limits of the server after a tool was written, under the lock of the server. Throws ALIAS_CONFLICT and VALIDATION_ERROR. */
async function requireRoom(tx: Prisma.TransactionClient, tool: Tool): Promise<void> {
  const { orgId, serverId, integrationAlias, integrationName } = tool;
  const where = { orgId, serverId, integrationAlias, integrationName: { not: integrationName } };
  const other = await tx.tool.findFirst({ where, select: { integrationName: true } });
  if (other)
    throw new ApiError(
      'ALIAS_CONFLICT',
      `the alias ${integrationAlias} is already used for ${other.integrationName} in this server`,
    );
  const [used] = await tx.$queryRaw<{ tools: number; bytes: number }[]>`
    SELECT count(*)::int AS tools, coalesce(sum(octet_length(input_defaults::text)), 0)::int
      + coalesce(sum(octet_length(description)), 0)::int + coalesce(sum(octet_length(display_name)), 0)::int AS bytes
    FROM mcp.tools WHERE org_id = ${orgId}::uuid AND server_id = ${serverId}::uuid`;
  const owner = 'an MCP server';
  requireCount(
    { field: 'actionName', owner, what: 'tools', used: used!.tools, most: MAX_TOOLS },
    { field: 'inputDefaults', owner, what: 'bytes in the texts of its tools', used: used!.bytes, most: MAX_BYTES },
  );
}
