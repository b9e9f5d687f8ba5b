import { hashToken, MCP_TOKEN, newToken } from '@drawbridge/contracts';
import { requireQuota } from '@drawbridge/database';
import { McpCodeModeSettingsDefaults } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import {
  type CreatedMcpServer,
  type CreateMcpServerRequest,
  CreateMcpServerRequestDefaults as DEFAULTS,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { caller } from '@drawbridge/rpc';
import { type Prisma, type Server } from '../gen/prisma/client.js';
import { requireRunnableMode } from './code-mode.js';
import { requireMayHandOut } from './require-usable.js';
import { isBearerEnabled, isStaticBearerEnabled } from './server-auth.js';
import { type ServerParts } from './server-parts.js';
import { withShare } from './sharing.js';
import { tellOfShares } from './tell-of-shares.js';
import { changeOf, toMcpServer } from './to-server.js';

/**
 * Throws VALIDATION_ERROR, QUOTA_EXCEEDED, NOT_FOUND (workspace), END_USER_NOT_FOUND, and FORBIDDEN (the workspace is suspended, or the caller may
 * not execute actions and requests a bearer token).
 */
export async function createServer(parts: ServerParts, request: CreateMcpServerRequest): Promise<CreatedMcpServer> {
  requireRunnableMode(request.mode);
  const data = await newServer(parts, request);
  const isBearer = isBearerEnabled(data);
  if (isBearer) requireMayHandOut();
  const token = newToken(MCP_TOKEN);
  const { workspaceId } = request;
  const wanted = { workspaceId, isNeeded: isBearer && data.endUserId === null };
  const row = await withShare(parts.sharing, wanted, (asked) => {
    const shareId = asked ?? null;
    const isStatic = isStaticBearerEnabled({ ...data, shareId });
    return insert(parts, { ...data, shareId, staticTokenHash: isStatic ? hashToken(token) : null });
  });
  return { server: toMcpServer(row), bearerToken: row.staticTokenHash === null ? undefined : token };
}

async function newServer(
  { requireWorkspaceNow, findEndUser }: ServerParts,
  { settings, endUserId, ...request }: CreateMcpServerRequest,
) {
  const { orgId, userId } = caller();
  const { workspaceId } = request;
  await requireWorkspaceNow(workspaceId);
  const nobody = { endUserId: null, endUserRecordId: null };
  const endUser = endUserId === undefined ? nobody : await findEndUser({ orgId, workspaceId }, endUserId);
  const approvalWaitSeconds =
    settings?.codeMode?.approvalWaitSeconds ?? McpCodeModeSettingsDefaults.approvalWaitSeconds;
  const { mode = DEFAULTS.mode, authMode = DEFAULTS.authMode, endUserAccess = DEFAULTS.endUserAccess } = request;
  return { ...request, ...endUser, orgId, userId, mode, authMode, endUserAccess, approvalWaitSeconds };
}

async function insert(parts: ServerParts, data: Prisma.ServerUncheckedCreateInput): Promise<Server> {
  const { db, guard, outbox, findLimit } = parts;
  const { orgId, workspaceId } = data;
  const limitIn = await findLimit(orgId);
  return db.$transaction(async (tx) => {
    await guard.requireNotDeleted(tx, workspaceId);
    await requireQuota(tx, { orgId, table: 'servers', limit: () => limitIn(tx) });
    const row = await tx.server.create({ data });
    await tellOfShares(tx, outbox, { before: null, now: row });
    await outbox.record(tx, changeOf(row));
    return row;
  });
}
