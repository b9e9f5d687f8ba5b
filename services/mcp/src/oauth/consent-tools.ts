import { findPiece } from '@drawbridge/pieces';
import { type LinkedInstance } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type AccountUse } from '@drawbridge/proto/drawbridge/connections/v1/identities';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import {
  type ConsentIntegration,
  type ConsentTool,
  type ConsentTools,
  type ListConsentToolsRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { offersOfServer } from '../access/access.js';
import { findAllowedPerson } from './authorize.js';
import { type Parts } from '../parts.js';

/** Returns the tools to which a client would get access. Throws NOT_FOUND, and FORBIDDEN for a user who may not authorize a client. */
export async function listConsentTools(
  parts: Parts,
  { serverId, person }: ListConsentToolsRequest,
): Promise<ConsentTools> {
  const { server, externalId: endUserId } = await findAllowedPerson(parts, { serverId, person: person! });
  const { orgId, workspaceId: placeId } = server;
  const { instances } = await parts.catalog.listLinkedInstances({ orgId, placeId, isTagWantedAlone: false });
  const groups = groupTools(await offersOfServer(parts, server, instances), instances);
  const uses = groups.flatMap(({ use }) => (use ? [use] : []));
  const { accounts } = await parts.identities.nameAccounts({ orgId, placeId, endUserId, uses });
  const names = new Map(uses.map((use, at) => [use, accounts[at]?.name]));
  const integrations = groups.map(({ use, ...group }) => ({
    ...group,
    accountKind: kindOf(use),
    account: use && names.get(use),
  }));
  return { integrations };
}

function kindOf(use: ToolGroup['use']): string {
  if (!use) return 'none';
  return use.connectionStrategy === 'fixed' ? 'shared' : 'own';
}

/** Tools of one integration that use the same account. */
interface ToolGroup extends Pick<ConsentIntegration, 'displayName' | 'alias' | 'tools'> {
  /** Absent if the integration uses no account. */
  use?: AccountUse;
}

/** Groups the tools of a server by integration and account. The groups and their tools retain the order of the tools. */
export function groupTools(offers: readonly McpOffer[], instances: readonly LinkedInstance[]): ToolGroup[] {
  const known = new Map(instances.map((instance) => [instance.id, instance]));
  const groups = new Map<string, ToolGroup>();
  for (const offer of offers) {
    const piece = findPiece(offer.integrationName);
    if (!piece) continue;
    const use = piece.auth && useOf(offer, known.get(offer.workspaceIntegrationId ?? ''));
    const key = JSON.stringify([offer.integrationAlias, offer.integrationName, use]);
    const group = groups.get(key) ?? { displayName: piece.displayName, alias: offer.integrationAlias, tools: [], use };
    group.tools.push(toTool(offer));
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Returns the account that a tool uses. The connection of the tool, if it has one, takes precedence over that of the configured integration. */
function useOf({ integrationName, connectionId }: McpOffer, instance: LinkedInstance | undefined): AccountUse {
  if (connectionId !== undefined) return { integrationName, connectionStrategy: 'fixed', connectionId };
  return {
    integrationName,
    connectionStrategy: instance?.connectionStrategy ?? '',
    connectionId: instance?.connectionId,
  };
}

/** Returns a tool with the display name of its action. The tool's own display name is free text and could mislead on a consent page. */
function toTool({ integrationName, actionName }: McpOffer): ConsentTool {
  const { displayName, category } = findPiece(integrationName)!.actions[actionName]!;
  return { name: displayName, category };
}
