import { ApiError, notFound, suspended } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type McpServer } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import { caller, isGranted, requireInScope } from '@drawbridge/rpc';
import { authOf } from '../access/token-access.js';
import { type Prisma, type PrismaClient as Db, type Server } from '../gen/prisma/client.js';
import { type Parts } from '../parts.js';

/** Returns a server of the caller's organization. Throws NOT_FOUND, and SCOPE_DENIED if the caller may not access its workspace. */
export async function findServer(db: Pick<Db, 'server'>, id: string): Promise<Server> {
  const row = await db.server.findFirst({ where: { id, orgId: caller().orgId } });
  if (!row) throw notFound('MCP server', id);
  requireInScope(row.workspaceId);
  return row;
}

/** Locks the row of a server until the transaction ends. All changes of its tools and tokens take this lock first. Throws NOT_FOUND. */
export async function lockServer(tx: Prisma.TransactionClient, id: string): Promise<Server> {
  const where = { id, orgId: caller().orgId };
  await tx.$queryRaw`SELECT FROM mcp.servers WHERE id = ${id}::uuid AND org_id = ${where.orgId}::uuid FOR NO KEY UPDATE`;
  const row = await tx.server.findFirst({ where });
  if (!row) throw notFound('MCP server', id);
  return row;
}

export const ANOTHER_VERSION = { version: { increment: 1 } };

/** Throws NOT_FOUND (workspace), and FORBIDDEN if the server or its workspace is suspended. */
export async function requireUsable(
  { requireWorkspaceNow }: Pick<Parts, 'requireWorkspaceNow'>,
  { id, workspaceId, suspendedAt, suspensionReason }: Server,
): Promise<void> {
  if (suspendedAt !== null) throw suspended('MCP server', id, suspensionReason);
  await requireWorkspaceNow(workspaceId);
}

/**
 * Throws FORBIDDEN unless the caller may execute actions. A token can execute the tools of the server, so it must not grant more permissions than the
 * caller has.
 */
export function requireMayHandOut(): void {
  if (isGranted('actions.execute', caller().permissions)) return;
  throw new ApiError(
    'FORBIDDEN',
    'To create a token you need the permission actions.execute, because tokens execute actions',
  );
}

export function toMcpServer(row: Server): McpServer {
  const { approvalWaitSeconds, toolDiscovery: discovery } = row;
  const settings = { codeMode: { approvalWaitSeconds }, tools: { discovery } };
  return { ...toWire(row), settings, auth: authOf(row) };
}

interface Change {
  /** Null for a new server. */
  before: Server | null;
  /** Null for a deleted server. */
  now: Server | null;
}

/**
 * Records a change of a server in the transaction of the change: an audit entry and, if the share for an anonymous token changed, the events with
 * which catalog confirms the new share and withdraws the old one.
 */
export async function recordChange(
  tx: Prisma.TransactionClient,
  outbox: Outbox,
  { before, now }: Change,
): Promise<void> {
  const { id, name, workspaceId, orgId } = (now ?? before)!;
  if (before?.shareId !== now?.shareId) {
    const [withdrawn, shared] = [before?.shareId, now?.shareId];
    if (withdrawn) await outbox.add(tx, { $case: 'bearerWithdrawn', value: { shareId: withdrawn } }, orgId);
    if (shared) await outbox.add(tx, { $case: 'bearerShared', value: { shareId: shared } }, orgId);
  }
  await outbox.record(tx, { id, name, workspaceId });
}
