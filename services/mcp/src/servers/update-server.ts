import { type Masked, masked } from '@drawbridge/contracts';
import { McpCodeModeSettingsDefaults, type McpServer } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import {
  type McpServerChanges,
  McpServerChangesNullable,
  type UpdateMcpServerRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { type Prisma, type Server } from '../gen/prisma/client.js';
import { type EndUser } from '../tokens/find-end-user.js';
import { requireRunnableMode } from './code-mode.js';
import { findServer } from './find-server.js';
import { ANOTHER_VERSION, lockServer } from './lock-server.js';
import { requireUsable } from './require-usable.js';
import { isBearerEnabled, isOAuthEnabled, isStaticBearerEnabled } from './server-auth.js';
import { type ServerParts } from './server-parts.js';
import { withShare } from './sharing.js';
import { tellOfShares } from './tell-of-shares.js';
import { changeOf, toMcpServer } from './to-server.js';

const NOBODY = { endUserId: null, endUserRecordId: null };

/** Updates a server. Throws VALIDATION_ERROR, NOT_FOUND, END_USER_NOT_FOUND and FORBIDDEN. */
export async function updateServer(parts: ServerParts, { id, ...patch }: UpdateMcpServerRequest): Promise<McpServer> {
  const changes = masked(patch, McpServerChangesNullable, 'VALIDATION_ERROR');
  requireRunnableMode(changes.mode);
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
  { findEndUser }: ServerParts,
  place: Server,
  { settings, endUserId, ...plain }: Masked<McpServerChanges>,
): Promise<Columns> {
  const wait = settings?.codeMode?.approvalWaitSeconds ?? McpCodeModeSettingsDefaults.approvalWaitSeconds;
  return {
    ...plain,
    ...(settings !== undefined && { approvalWaitSeconds: wait }),
    ...(endUserId !== undefined && (await endUserOf(findEndUser, place, endUserId))),
  };
}

async function endUserOf(
  findEndUser: ServerParts['findEndUser'],
  place: Server,
  endUserId: string | null,
): Promise<EndUser | typeof NOBODY> {
  return endUserId === null ? NOBODY : findEndUser(place, endUserId);
}

/** Returns whether the change needs a new permission for an anonymous token; renaming a server does not. */
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
  { outbox }: ServerParts,
  { before, columns, asked }: Change,
): Promise<Server> {
  const { id, orgId } = before;
  const now = { ...before, ...columns };
  const shareId = isBearerEnabled(now) && now.endUserId === null ? (before.shareId ?? asked ?? null) : null;
  const isSamePerson = now.endUserRecordId === before.endUserRecordId && now.endUserId === before.endUserId;
  // A token never changes its end user, and turning a kind of token on again does not restore the old one.
  const keepsStatic = isSamePerson && isStaticBearerEnabled({ ...now, shareId });
  const staticTokenHash = keepsStatic ? before.staticTokenHash : null;
  const row = await tx.server.update({
    where: { id, orgId },
    data: { ...columns, shareId, staticTokenHash, ...ANOTHER_VERSION },
  });
  const ended = [isBearerEnabled(row) ? [] : ['bearer'], isOAuthEnabled(row) ? [] : ['oauth']].flat();
  if (!isOAuthEnabled(row)) await tx.oAuthGrant.deleteMany({ where: { orgId, serverId: id } });
  await tx.token.deleteMany({ where: { orgId, serverId: id, kind: { in: ended } } });
  await tellOfShares(tx, outbox, { before, now: row });
  await outbox.record(tx, changeOf(row));
  return row;
}
