import { ApiError, hashToken, MCP_TOKEN, newId, newToken } from '@drawbridge/contracts';
import { BearerShareServiceDefinition } from '@drawbridge/proto/drawbridge/catalog/v1/bearer_shares';
import { type McpStaticBearer } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { describeError, type Logger, type Network } from '@drawbridge/rpc';
import { isBearerEnabled, isStaticBearerEnabled } from '../access/token-access.js';
import { type Server } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import {
  ANOTHER_VERSION,
  findServer,
  lockServer,
  recordChange,
  requireMayHandOut,
  requireUsable,
} from './server-rows.js';

/**
 * Replaces the static bearer token. Of concurrent calls, the token of the last call stays valid. Throws NOT_FOUND, FORBIDDEN, MCP_BEARER_DISABLED,
 * and MCP_STATIC_BEARER_INCOMPATIBLE if an integration of the workspace needs a connection for each end user.
 */
export async function regenerateBearer(parts: Parts, id: string): Promise<McpStaticBearer> {
  const found = await findServer(parts.db, id);
  await requireUsable(parts, found);
  requireBearer(found);
  requireMayHandOut();
  const bearerToken = newToken(MCP_TOKEN);
  const isNeeded = found.endUserId === null && found.shareId === null;
  await withShare(parts.sharing, { workspaceId: found.workspaceId, isNeeded }, (asked) =>
    parts.db.$transaction(async (tx) => {
      const before = await lockServer(tx, id);
      requireBearer(before);
      const shareId = before.endUserId === null ? (before.shareId ?? asked ?? null) : null;
      if (!isStaticBearerEnabled({ ...before, shareId })) throw incompatible(before);
      const data = { staticTokenHash: hashToken(bearerToken), shareId, ...ANOTHER_VERSION };
      const row = await tx.server.update({ where: { id, orgId: before.orgId }, data });
      await recordChange(tx, parts.outbox, { before, now: row });
      return row;
    }),
  );
  return { serverId: id, bearerToken };
}

function requireBearer(server: Server): void {
  if (isBearerEnabled(server)) return;
  throw new ApiError(
    'MCP_BEARER_DISABLED',
    `MCP server ${server.id} accepts no bearer tokens, because its authMode is ${server.authMode}`,
  );
}

function incompatible({ endUserId }: Server): ApiError {
  const why =
    endUserId === null
      ? 'People of the workspace need connections of their own: issue tokens for each'
      : `Its end user ${endUserId} is gone`;
  return new ApiError('MCP_STATIC_BEARER_INCOMPATIBLE', why);
}

type Sharing = ReturnType<typeof sharing>;

/**
 * Requests and withdraws shares. A share is a row of the catalog service that allows a server an anonymous bearer token: while it exists, catalog
 * rejects integrations of the workspace that require a connection for each end user.
 */
export function sharing({ network, log }: { network: Network; log: Logger }) {
  const catalog = network.client('catalog', BearerShareServiceDefinition);
  return {
    /** Requests a share and returns its id, or undefined if an integration requires a connection for each end user. */
    async ask(workspaceId: string): Promise<string | undefined> {
      const id = newId();
      const { isAllowed } = await catalog.shareBearer({ workspaceId, id });
      return isAllowed ? id : undefined;
    },

    /**
     * Withdraws the share immediately. If the call fails, catalog withdraws the share when the event `bearerWithdrawn` arrives, or deletes it later
     * because the event that confirms it never arrived.
     */
    async withdraw(workspaceId: string, shareId: string | null | undefined): Promise<void> {
      if (!shareId) return;
      await catalog.withdrawBearer({ workspaceId, id: shareId }).catch((error: unknown) => {
        log.warn(
          { workspaceId, error: describeError(error) },
          'could not withdraw a shared bearer token; it is withdrawn later',
        );
      });
    },
  };
}

/** Runs `work` with a new share if `isNeeded`, and withdraws it unless the result uses it. Calls catalog before `work` opens a transaction. */
export async function withShare<Row extends { shareId: string | null }>(
  sharing: Sharing,
  { workspaceId, isNeeded }: { workspaceId: string; isNeeded: boolean },
  work: (shareId: string | undefined) => Promise<Row>,
): Promise<Row> {
  const shareId = isNeeded ? await sharing.ask(workspaceId) : undefined;
  let used: string | null = null;
  try {
    const row = await work(shareId);
    used = row.shareId;
    return row;
  } finally {
    if (shareId !== used) await sharing.withdraw(workspaceId, shareId);
  }
}
