import { hashToken, masked, type Masked, MCP_TOKEN, newToken } from '@drawbridge/contracts';
import { requireQuota } from '@drawbridge/database';
import {
  McpCodeModeSettingsDefaults,
  type McpServer,
  McpToolSettingsDefaults,
} from '@drawbridge/proto/drawbridge/mcp/v1/server';
import {
  type CreatedMcpServer,
  type CreateMcpServerRequest,
  CreateMcpServerRequestDefaults as DEFAULTS,
  type McpServerChanges,
  McpServerChangesNullable,
  type UpdateMcpServerRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { caller } from '@drawbridge/rpc';
import { isBearerEnabled, isOAuthEnabled, isStaticBearerEnabled } from '../access/token-access.js';
import { type Prisma, type Server } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';
import {
  ANOTHER_VERSION,
  findServer,
  lockServer,
  recordChange,
  requireMayHandOut,
  requireUsable,
  toMcpServer,
} from './server-rows.js';
import { withShare } from './static-bearer.js';

/**
 * Creates a server. Throws VALIDATION_ERROR, QUOTA_EXCEEDED, NOT_FOUND (workspace), END_USER_NOT_FOUND, and FORBIDDEN (the workspace is suspended, or
 * the caller requests a bearer token and may not execute actions).
 */
export async function createServer(parts: Parts, request: CreateMcpServerRequest): Promise<CreatedMcpServer> {
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

async function newServer(parts: Parts, { settings, endUserId, ...request }: CreateMcpServerRequest) {
  const { orgId, userId } = caller();
  const { workspaceId } = request;
  await parts.requireWorkspaceNow(workspaceId);
  const endUser = await endUserOf(parts, { orgId, workspaceId }, endUserId);
  const { mode = DEFAULTS.mode, authMode = DEFAULTS.authMode, endUserAccess = DEFAULTS.endUserAccess } = request;
  return { ...request, ...endUser, orgId, userId, mode, authMode, endUserAccess, ...settingsOf(settings) };
}

async function insert(parts: Parts, data: Prisma.ServerUncheckedCreateInput): Promise<Server> {
  const { db, guard, outbox, findLimit } = parts;
  const { orgId, workspaceId } = data;
  const limitIn = await findLimit(orgId);
  return db.$transaction(async (tx) => {
    await guard.requireNotDeleted(tx, workspaceId);
    await requireQuota(tx, { orgId, table: 'servers', limit: () => limitIn(tx) });
    const row = await tx.server.create({ data });
    await recordChange(tx, outbox, { before: null, now: row });
    return row;
  });
}

/** Updates a server. Throws VALIDATION_ERROR, NOT_FOUND, END_USER_NOT_FOUND and FORBIDDEN. */
export async function updateServer(parts: Parts, { id, ...patch }: UpdateMcpServerRequest): Promise<McpServer> {
  const changes = masked(patch, McpServerChangesNullable, 'VALIDATION_ERROR');
  const found = await findServer(parts.db, id);
  await requireUsable(parts, found);
  const columns = await toColumns(parts, found, changes);
  const { workspaceId } = found;
  const wanted = { workspaceId, isNeeded: lacksShare(found, columns) };
  let before = found;
  const row = await withShare(parts.sharing, wanted, (asked) =>
    parts.db.$transaction(async (tx) => {
      before = await lockServer(tx, id);
      return write(tx, parts, { before, columns, asked });
    }),
  );
  if (row.shareId === null) await parts.sharing.withdraw(workspaceId, before.shareId);
  return toMcpServer(row);
}

type Columns = Partial<Omit<Server, 'id' | 'orgId'>>;

async function toColumns(
  parts: Parts,
  place: Server,
  { settings, endUserId, ...plain }: Masked<McpServerChanges>,
): Promise<Columns> {
  return {
    ...plain,
    ...(settings !== undefined && settingsOf(settings)),
    ...(endUserId !== undefined && (await endUserOf(parts, place, endUserId))),
  };
}

/** Returns the settings as columns. Omitted settings get their defaults. */
const settingsOf = (settings: CreateMcpServerRequest['settings'] | null) => ({
  approvalWaitSeconds: settings?.codeMode?.approvalWaitSeconds ?? McpCodeModeSettingsDefaults.approvalWaitSeconds,
  toolDiscovery: settings?.tools?.discovery ?? McpToolSettingsDefaults.discovery,
});

type Place = Pick<Server, 'orgId' | 'workspaceId'>;

async function endUserOf({ findEndUser }: Parts, place: Place, endUserId: string | null | undefined) {
  const isNobody = endUserId === undefined || endUserId === null;
  return isNobody ? { endUserId: null, endUserRecordId: null } : findEndUser(place, endUserId);
}

/**
 * Returns whether the change needs a new share, with which catalog allows an anonymous bearer token (see `sharing`). Only a change of the fields that
 * decide this can need one; renaming a server does not.
 */
function lacksShare(server: Server, columns: Columns): boolean {
  const isChosen = columns.authMode !== undefined || columns.endUserId !== undefined;
  const wanted = { ...server, ...columns };
  return isChosen && isBearerEnabled(wanted) && wanted.endUserId === null && wanted.shareId === null;
}

interface Change {
  before: Server;
  columns: Columns;
  asked: string | undefined;
}

async function write(
  tx: Prisma.TransactionClient,
  { outbox }: Parts,
  { before, columns, asked }: Change,
): Promise<Server> {
  const { id, orgId } = before;
  const now = { ...before, ...columns };
  const shareId = isBearerEnabled(now) && now.endUserId === null ? (before.shareId ?? asked ?? null) : null;
  const isSamePerson = now.endUserRecordId === before.endUserRecordId && now.endUserId === before.endUserId;
  // The static token is deleted if the server gets another end user or no longer accepts the token. A later change does not restore it.
  const keepsStatic = isSamePerson && isStaticBearerEnabled({ ...now, shareId });
  const staticTokenHash = keepsStatic ? before.staticTokenHash : null;
  const row = await tx.server.update({
    where: { id, orgId },
    data: { ...columns, shareId, staticTokenHash, ...ANOTHER_VERSION },
  });
  const ended = [isBearerEnabled(row) ? [] : ['bearer'], isOAuthEnabled(row) ? [] : ['oauth']].flat();
  if (!isOAuthEnabled(row)) await tx.oAuthGrant.deleteMany({ where: { orgId, serverId: id } });
  await tx.token.deleteMany({ where: { orgId, serverId: id, kind: { in: ended } } });
  await recordChange(tx, outbox, { before, now: row });
  return row;
}
