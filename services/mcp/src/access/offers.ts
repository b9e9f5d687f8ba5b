import { toWire } from '@drawbridge/database';
import { isEnabled } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type LinkedInstance } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type Tool } from '../gen/prisma/client.js';
import { namesIn } from '../tools/tool-rows.js';

export type OfferedTool = Pick<
  Tool,
  | 'id'
  | 'integrationName'
  | 'integrationAlias'
  | 'actionName'
  | 'workspaceIntegrationId'
  | 'connectionId'
  | 'displayName'
  | 'description'
  | 'inputDefaults'
  | 'partialIds'
>;

/**
 * Returns the tools that a server offers: the tools that were added to it, in their order, then the other enabled actions of the workspace's
 * integrations. An added tool replaces the workspace's action with the same alias and name. If added tools use an alias for another integration, the
 * workspace's actions under this alias are hidden. Tools with a removed piece or with an action that is no longer enabled are omitted.
 */
export function offersOf(tools: readonly OfferedTool[], instances: readonly LinkedInstance[]): McpOffer[] {
  const own = tools.filter(isThere).filter((tool) => mayRun(tool, instances));
  const taken = new Set(own.map((tool) => nameOf(tool.integrationAlias, tool.actionName)));
  const integrations = new Map(own.map((tool) => [tool.integrationAlias, tool.integrationName]));
  const linked = instances
    .filter(({ alias, integrationName }) => (integrations.get(alias) ?? integrationName) === integrationName)
    .flatMap((instance) => actionsOf(instance).map((actionName) => ({ instance, actionName })))
    .filter(({ instance, actionName }) => !taken.has(nameOf(instance.alias, actionName)));
  return [...own.map(toOffer), ...linked.map(({ instance, actionName }) => linkedOffer(instance, actionName))];
}

const nameOf = (alias: string, actionName: string): string => `${alias} ${actionName}`;

function isThere({ integrationName, actionName }: OfferedTool): boolean {
  return Object.hasOwn(findPiece(integrationName)?.actions ?? {}, actionName);
}

/** Returns whether the workspace enables the action of a tool that was added to a server. */
function mayRun(tool: OfferedTool, instances: readonly LinkedInstance[]): boolean {
  const { workspaceIntegrationId, integrationName, actionName } = tool;
  if (workspaceIntegrationId === null)
    return actionsOf({ integrationName, enabledActions: undefined }).includes(actionName);
  const instance = instances.find(({ id }) => id === workspaceIntegrationId);
  return instance !== undefined && actionsOf(instance).includes(actionName);
}

function actionsOf({
  integrationName,
  enabledActions,
}: Pick<LinkedInstance, 'integrationName' | 'enabledActions'>): string[] {
  const actions = Object.entries(findPiece(integrationName)?.actions ?? {});
  return actions.flatMap(([name, action]) => (isEnabled(action, name, enabledActions) ? [name] : []));
}

function toOffer({ id: toolId, inputDefaults, partialIds, ...tool }: OfferedTool): McpOffer {
  const inputDefaultsJson = inputDefaults === null ? undefined : JSON.stringify(inputDefaults);
  return { ...toWire(tool), toolId, inputDefaultsJson, partialIds: namesIn(partialIds) };
}

function linkedOffer({ id, alias, integrationName }: LinkedInstance, actionName: string): McpOffer {
  return { integrationAlias: alias, integrationName, actionName, workspaceIntegrationId: id };
}
