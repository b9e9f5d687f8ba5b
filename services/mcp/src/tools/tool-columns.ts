import { type Masked } from '@drawbridge/contracts';
import { type CheckToolRequest } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { NewWorkspaceIntegrationDefaults } from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { type McpToolChanges, type NewMcpTool } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { Prisma, type Tool } from '../gen/prisma/client.js';
import { namesIn } from './to-tool.js';

/** What catalog is asked. */
type Asked = Omit<CheckToolRequest, 'workspaceId'>;

/** A new row with the contract's defaults, and what is to be judged of it. */
export function toNewTool({ toolType: _only, ...given }: NewMcpTool) {
  const integrationAlias = given.integrationAlias ?? given.integrationName;
  const { partialIds, sortOrder = NewWorkspaceIntegrationDefaults.sortOrder, ...named } = given;
  const { workspaceIntegrationId: _checked, ...plain } = named;
  const asked: Asked = { ...given, alias: integrationAlias };
  return { asked, columns: { ...plain, integrationAlias, sortOrder, partialIds: toJson(partialIds) } };
}

/** Of a change what is new, and, where the alias is, what depends on it. */
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

/** The tool may be of another configured integration afterwards. */
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
    // Whoever says which connection it has, or that it has none of its own, has seen to it.
    ...(plain.connectionId !== undefined && { isCutOff: false }),
    ...(inputDefaults !== undefined && { inputDefaults: inputDefaults ?? Prisma.DbNull }),
    ...(partialIds !== undefined && { partialIds: toJson(partialIds) ?? Prisma.DbNull }),
  };
}

const toJson = (partialIds: readonly unknown[] | null | undefined): string[] | undefined =>
  partialIds?.map((id) => String(id).toLowerCase());
