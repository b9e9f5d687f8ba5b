import { toWire } from '@drawbridge/database';
import { type AuditedChange } from '@drawbridge/events';
import { type McpTool } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { type Tool } from '../gen/prisma/client.js';

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

/** Returns the ids of the tool's partials; undefined: the default ones. */
export function namesIn(partialIds: Tool['partialIds']): string[] | undefined {
  return Array.isArray(partialIds) ? partialIds.map(String) : undefined;
}

export function changeOf({ id, integrationAlias, actionName, workspaceId }: Tool): AuditedChange {
  return { id, name: `${integrationAlias}.${actionName}`, workspaceId };
}
