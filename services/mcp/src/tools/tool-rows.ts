import { type Masked } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type AuditedChange } from '@drawbridge/events';
import { type CheckToolRequest } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { NewWorkspaceIntegrationDefaults } from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { type McpTool, type McpToolChanges, type NewMcpTool } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { Prisma, type Tool } from '../gen/prisma/client.js';

type Asked = Omit<CheckToolRequest, 'workspaceId'>;

/** Returns the columns of a new tool with their defaults, and the request with which the catalog service checks the tool. */
export function toNewTool({ toolType: _only, ...given }: NewMcpTool) {
  const integrationAlias = given.integrationAlias ?? given.integrationName;
  const { partialIds, sortOrder = NewWorkspaceIntegrationDefaults.sortOrder, ...named } = given;
  const { workspaceIntegrationId: _checked, ...plain } = named;
  const asked: Asked = { ...given, alias: integrationAlias };
  return { asked, columns: { ...plain, integrationAlias, sortOrder, partialIds: toJson(partialIds) } };
}

/**
 * Returns the request with which the catalog service checks the changed fields of a tool. If the tool may move to another configured integration, the
 * request also contains its unchanged partials, because a partial belongs to one configured integration.
 */
export function toChangedTool(before: Tool, changes: Masked<McpToolChanges>): Asked {
  const { connectionId, inputDefaults, integrationAlias, partialIds, workspaceIntegrationId } = changes;
  const kept = isMoving(changes) ? namesIn(before.partialIds) : undefined;
  return {
    integrationName: before.integrationName,
    actionName: before.actionName,
    alias: integrationAlias ?? before.integrationAlias,
    workspaceIntegrationId: workspaceIntegrationId ?? undefined,
    keptIntegrationId: before.workspaceIntegrationId ?? undefined,
    connectionId: connectionId ?? undefined,
    inputDefaults: inputDefaults ?? undefined,
    partialIds: partialIds === undefined ? kept : (partialIds ?? undefined),
  };
}

/** Returns whether the change may move the tool to another configured integration. */
export function isMoving({ integrationAlias, workspaceIntegrationId }: Masked<McpToolChanges>): boolean {
  return integrationAlias !== undefined || workspaceIntegrationId !== undefined;
}

export function toColumns({
  inputDefaults,
  partialIds,
  workspaceIntegrationId: _checked,
  ...plain
}: Masked<McpToolChanges>) {
  return {
    ...plain,
    // A tool is cut off if its connection was deleted. With a new connection, or none, it can be called again.
    ...(plain.connectionId !== undefined && { isCutOff: false }),
    ...(inputDefaults !== undefined && { inputDefaults: inputDefaults ?? Prisma.DbNull }),
    ...(partialIds !== undefined && { partialIds: toJson(partialIds) ?? Prisma.DbNull }),
  };
}

const toJson = (partialIds: readonly unknown[] | null | undefined): string[] | undefined =>
  partialIds?.map((id) => String(id).toLowerCase());

export function toMcpTool({ serverId: mcpServerId, inputDefaults, partialIds, ...row }: Tool): McpTool {
  const shown = toWire(row);
  return {
    ...shown,
    mcpServerId,
    connectionId: row.isCutOff ? undefined : shown.connectionId,
    toolType: 'ACTION',
    inputDefaultsJson: inputDefaults === null ? undefined : JSON.stringify(inputDefaults),
    partialIds: namesIn(partialIds),
  };
}

/** Returns the ids of the tool's partials, or undefined for the default partials. */
export function namesIn(partialIds: Tool['partialIds']): string[] | undefined {
  return Array.isArray(partialIds) ? partialIds.map(String) : undefined;
}

export function changeOf({ id, integrationAlias, actionName, workspaceId }: Tool): AuditedChange {
  return { id, name: `${integrationAlias}.${actionName}`, workspaceId };
}

/** The order in which tools are listed: by sortOrder, then oldest first. */
export const LISTED: Prisma.ToolOrderByWithRelationInput[] = [
  { sortOrder: 'asc' },
  { createdAt: 'asc' },
  { id: 'asc' },
];
