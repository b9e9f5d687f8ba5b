import { ApiError, notFound, suspended } from '@drawbridge/contracts';
import { type LinkedInstance, type LinkedInstanceList } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import {
  type McpAccess,
  type McpAccessServiceDefinition,
  type McpDoor,
  type McpOffer,
  type ResolveMcpAccessRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type Caller, type Implementation, runAs } from '@drawbridge/rpc';
import { type Server } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import { LISTED } from '../tools/tool-rows.js';
import { offersOf } from './offers.js';
import { bearerOf, type FoundAccess, isBearerEnabled, isOAuthEnabled } from './token-access.js';

export const access = (parts: Parts): Implementation<McpAccessServiceDefinition> => ({
  resolveMcpAccess: (request) => resolve(parts, request),
});

async function resolve(parts: Parts, { serverId, tokenHash, knownTag }: ResolveMcpAccessRequest): Promise<McpAccess> {
  const found = await parts.accessOf(`${serverId} ${tokenHash}`);
  if (!found) throw notFound('MCP server', serverId);
  const bearer = bearerOf(found);
  if (!bearer) throw unknownToken(found);
  const [isThere, offered] = await Promise.all([
    parts.isThere(found, bearer),
    offersSince(parts, found, knownTag),
    requireInUse(parts, found),
  ]);
  if (!isThere) throw unknownToken(found);
  return { door: doorOf(found), bearer, ...offered };
}

/** Returns the tools that a server offers, or no tools if `knownTag` shows that the gateway has the current ones. */
export async function offersSince(
  parts: Pick<Parts, 'db' | 'catalog'>,
  server: OfferingServer,
  knownTag: string | undefined,
): Promise<Pick<McpAccess, 'tag' | 'isUnchanged' | 'offers'>> {
  const { orgId, workspaceId: placeId } = server;
  const isTagWantedAlone = knownTag !== undefined;
  const listed = await parts.catalog.listLinkedInstances({ orgId, placeId, isTagWantedAlone });
  // During an upgrade, an older version of catalog may respond without a tag. Its list is treated as changed.
  if (listed.tag !== '' && tagOf(server, listed) === knownTag) return { tag: knownTag, isUnchanged: true, offers: [] };
  const whole = isTagWantedAlone
    ? await parts.catalog.listLinkedInstances({ orgId, placeId, isTagWantedAlone: false })
    : listed;
  const offers = await offersOfServer(parts, server, whole.instances);
  return { tag: tagOf(server, whole), isUnchanged: false, offers };
}

/** Returns UNAUTHENTICATED for an agent without a valid token. The detail `oauthEnabled` is true if the agent can obtain a token by OAuth. */
function unknownToken(found: FoundAccess): ApiError {
  const details = { reason: 'token', oauthEnabled: isOAuthEnabled(found) };
  return new ApiError('UNAUTHENTICATED', 'The token is unknown, expired or revoked, or belongs to another server', {
    details,
  });
}

/**
 * Throws NOT_FOUND (workspace) or FORBIDDEN (suspended) if the server cannot be used. An agent has no user of the organization, so the check runs on
 * behalf of the user who created the server, with access to this workspace only, even if this user has left the organization.
 */
export async function requireInUse(
  { requireWorkspace }: Pick<Parts, 'requireWorkspace'>,
  found: FoundAccess,
): Promise<void> {
  const { id, workspaceId } = found;
  if (found.isSuspended) throw suspended('MCP server', id, found.suspensionReason);
  await runAs({ caller: makerOf(found) }, () => requireWorkspace(workspaceId));
}

export function makerOf({ orgId, userId, workspaceId }: FoundAccess): Caller {
  const permissions = { scope: 'workspace', workspaceIds: [workspaceId], grants: [] };
  return { orgId, userId, permissions, source: 'mcp_tools' };
}

/** Returns the tools that a server offers, in the order in which it lists them. */
export async function offersOfServer(
  { db }: Pick<Parts, 'db'>,
  { id, orgId }: Pick<OfferingServer, 'id' | 'orgId'>,
  instances: LinkedInstance[],
): Promise<McpOffer[]> {
  const tools = await db.tool.findMany({ where: { serverId: id, orgId }, orderBy: LISTED });
  return offersOf(tools, instances);
}

type OfferingServer = Pick<FoundAccess, 'id' | 'orgId' | 'workspaceId' | 'version'>;

/** Returns a tag that changes with the tools of the server (each change increments its version) and with the integrations of the workspace. */
const tagOf = ({ id, version }: OfferingServer, linked: LinkedInstanceList): string => `${id} ${version} ${linked.tag}`;

/** Converts a server row to a message. The spread also copies other columns, but the RPC codec drops fields that the message does not declare. */
export function doorOf(server: Server | FoundAccess): McpDoor {
  return {
    ...server,
    serverId: server.id,
    description: server.description ?? undefined,
    endUserId: server.endUserId ?? undefined,
    endUserRecordId: server.endUserRecordId ?? undefined,
    oauthEnabled: isOAuthEnabled(server),
    bearerEnabled: isBearerEnabled(server),
  };
}
