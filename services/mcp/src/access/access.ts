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
import { type Parts } from '../parts.js';
import { LISTED } from '../tools/tool-rows.js';
import { offersOf } from './offers.js';
import { bearerOf, findAccess, type FoundAccess, isBearerEnabled, isOAuthEnabled } from './token-access.js';

export const access = (parts: Parts): Implementation<McpAccessServiceDefinition> => ({
  resolveMcpAccess: (request) => resolve(parts, request),
});

async function resolve(parts: Parts, { serverId, tokenHash, knownTag }: ResolveMcpAccessRequest): Promise<McpAccess> {
  const found = await findAccess(parts.pool, serverId, tokenHash);
  if (!found) throw notFound('MCP server', serverId);
  const bearer = bearerOf(found);
  if (!bearer) throw unknownToken(found);
  const { orgId, workspaceId: placeId } = found;
  const [isThere, listed] = await Promise.all([
    parts.isThere(found, bearer),
    parts.catalog.listLinkedInstances({ orgId, placeId, isTagWantedAlone: knownTag !== undefined }),
    requireInUse(parts, found),
  ]);
  if (!isThere) throw unknownToken(found);
  const answer = { door: doorOf(found), bearer };
  // An older version of catalog returns no tag, so its list may have changed each time.
  if (listed.tag !== '' && tagOf(found, listed) === knownTag)
    return { ...answer, tag: knownTag, isUnchanged: true, offers: [] };
  const whole =
    knownTag === undefined
      ? listed
      : await parts.catalog.listLinkedInstances({ orgId, placeId, isTagWantedAlone: false });
  const offered = await offersOfServer(parts, found, whole.instances);
  return { ...answer, tag: tagOf(found, whole), isUnchanged: false, offers: offered };
}

/** Returns UNAUTHENTICATED for an agent without a valid token. `oauthEnabled` says whether it can sign in by OAuth. */
function unknownToken(found: FoundAccess): ApiError {
  const details = { reason: 'token', oauthEnabled: isOAuthEnabled(found) };
  return new ApiError('UNAUTHENTICATED', 'The token is unknown, expired or revoked, or belongs to another server', {
    details,
  });
}

/**
 * Throws NOT_FOUND (workspace) or FORBIDDEN (suspended) if the server is not in use. A token's caller has no permissions of its own, and the server's
 * creator may have left, so the check runs on behalf of the creator with access to this workspace alone.
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

/** Returns what a server offers, in the order of its list. */
export async function offersOfServer(
  { db }: Pick<Parts, 'db'>,
  { id, orgId }: FoundAccess,
  instances: LinkedInstance[],
): Promise<McpOffer[]> {
  const tools = await db.tool.findMany({ where: { serverId: id, orgId }, orderBy: LISTED });
  return offersOf(tools, instances);
}

/** Identifies the inputs of `offersOf`; the server's version stands for its tools. */
const tagOf = ({ id, version }: FoundAccess, linked: LinkedInstanceList): string => `${id} ${version} ${linked.tag}`;

function doorOf(found: FoundAccess): McpDoor {
  const { id: serverId, description, endUserId, ...plain } = found;
  return {
    ...plain,
    serverId,
    description: description ?? undefined,
    endUserId: endUserId ?? undefined,
    oauthEnabled: isOAuthEnabled(found),
    bearerEnabled: isBearerEnabled(found),
  };
}
