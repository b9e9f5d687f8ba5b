import { type ConsentTools, type ListConsentToolsRequest } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { offersOfServer } from '../access/access.js';
import { groupTools, type ToolGroup } from './consent-tools.js';
import { findAllowedPerson } from './authorize.js';
import { type OAuthParts } from './oauth-parts.js';

/** Returns the tools that a program would get. Throws NOT_FOUND, and FORBIDDEN for a user who may not authorize a program. */
export async function listConsentTools(
  parts: OAuthParts,
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
