import { ApiError, hashToken, MCP_TOKEN, newToken } from '@drawbridge/contracts';
import { type McpStaticBearer } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { type Prisma, type Server } from '../gen/prisma/client.js';
import { findServer } from './find-server.js';
import { ANOTHER_VERSION, lockServer } from './lock-server.js';
import { requireMayHandOut, requireUsable } from './require-usable.js';
import { isBearerEnabled, isStaticBearerEnabled } from './server-auth.js';
import { type ServerParts } from './server-parts.js';
import { withShare } from './sharing.js';
import { tellOfShares } from './tell-of-shares.js';
import { changeOf } from './to-server.js';

/**
 * Replaces the static bearer token; of concurrent calls, the token of the last one stays. Throws NOT_FOUND, FORBIDDEN, MCP_BEARER_DISABLED, and
 * MCP_STATIC_BEARER_INCOMPATIBLE if an integration of the workspace needs a connection for each end user.
 */
export async function regenerateBearer(parts: ServerParts, id: string): Promise<McpStaticBearer> {
  const found = await findServer(parts.db, id);
  await requireUsable(parts, found);
  requireBearer(found);
  requireMayHandOut();
  const bearerToken = newToken(MCP_TOKEN);
  const { workspaceId, endUserId, shareId } = found;
  const isNeeded = endUserId === null && shareId === null;
  await withShare(parts.sharing, { workspaceId, isNeeded }, (asked) =>
    parts.db.$transaction((tx) => replace(tx, parts, { id, asked, staticTokenHash: hashToken(bearerToken) })),
  );
  return { serverId: id, bearerToken };
}

function requireBearer(server: Server): void {
  if (isBearerEnabled(server)) return;
  throw new ApiError(
    'MCP_BEARER_DISABLED',
    `MCP server ${server.id} takes no bearer: its authMode is ${server.authMode}`,
  );
}

interface Replacement {
  id: string;
  asked: string | undefined;
  staticTokenHash: string;
}

async function replace(
  tx: Prisma.TransactionClient,
  { outbox }: ServerParts,
  { id, asked, staticTokenHash }: Replacement,
): Promise<Server> {
  const before = await lockServer(tx, id);
  requireBearer(before);
  const shareId = before.endUserId === null ? (before.shareId ?? asked ?? null) : null;
  if (!isStaticBearerEnabled({ ...before, shareId })) throw incompatible(before);
  const data = { staticTokenHash, shareId, ...ANOTHER_VERSION };
  const row = await tx.server.update({ where: { id, orgId: before.orgId }, data });
  await tellOfShares(tx, outbox, { before, now: row });
  await outbox.record(tx, changeOf(row));
  return row;
}

function incompatible({ endUserId }: Server): ApiError {
  const why =
    endUserId === null
      ? 'People of the workspace need connections of their own: issue tokens for each'
      : `Its end user ${endUserId} is gone`;
  return new ApiError('MCP_STATIC_BEARER_INCOMPATIBLE', why);
}
