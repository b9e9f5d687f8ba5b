import { ApiError } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { type EventOf, type RetentionRule } from '@drawbridge/events';
import { findPiece } from '@drawbridge/pieces';
import {
  type BearerShare,
  type BearerShareServiceDefinition,
  type ShareBearerRequest,
} from '@drawbridge/proto/drawbridge/catalog/v1/bearer_shares';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { type Prisma, type WorkspaceIntegration } from './gen/prisma/client.js';
import { type Parts } from './parts.js';

export const bearerShares = (parts: Parts): Implementation<BearerShareServiceDefinition> => ({
  shareBearer: (request) => share(parts, request),

  async withdrawBearer({ id }) {
    await parts.db.bearerShare.deleteMany({ where: { id, orgId: caller().orgId } });
    return {};
  },
});

/**
 * Permits an MCP server of the workspace to have a bearer token without an end user. Takes the lock that configuring a per_user integration also
 * takes, so that of two concurrent requests the second one detects the first one.
 */
async function share({ db, guard }: Parts, { workspaceId, id }: ShareBearerRequest): Promise<BearerShare> {
  const scope = { orgId: caller().orgId, workspaceId };
  return db.$transaction(async (tx) => {
    await guard.requireNotDeleted(tx, workspaceId);
    await lockInstances(tx, workspaceId);
    const where = { ...scope, connectionStrategy: 'per_user' };
    const select = { integrationName: true, connectionStrategy: true };
    if ((await tx.workspaceIntegration.findMany({ where, select })).some(isStrict)) return { isAllowed: false };
    await tx.bearerShare.createMany({ data: [{ id, ...scope }], skipDuplicates: true });
    return { isAllowed: true };
  });
}

const CONFIRM = 'UPDATE catalog.bearer_shares SET confirmed_at = now() WHERE org_id = $1 AND id = $2';
const WITHDRAW = 'DELETE FROM catalog.bearer_shares WHERE org_id = $1 AND id = $2';

/**
 * The handlers of the events that the mcp service sends about bearer tokens without an end user. To delete a permission, the mcp service also calls
 * WithdrawBearer, which takes effect immediately. The event deletes the permission even if that call failed.
 */
export const shareConsumers = { bearerShared: eachShare(CONFIRM), bearerWithdrawn: eachShare(WITHDRAW) };

function eachShare(statement: string) {
  return async (events: EventOf<'bearerShared' | 'bearerWithdrawn'>[], tx: PoolClient): Promise<void> => {
    for (const { orgId, payload } of events) await tx.query(statement, [orgId, payload.value.shareId]);
  };
}

/**
 * Deletes permissions that the mcp service never confirmed with an event, because its process exited before it stored the MCP server. Otherwise such
 * a permission would block per_user integrations forever.
 */
export const LOST_SHARES: RetentionRule = {
  table: 'catalog.bearer_shares',
  key: 'id',
  oldest: 'created_at',
  expired: "confirmed_at IS NULL AND created_at < now() - interval '10 minutes'",
};

/** Returns true if each end user needs a separate connection. A removed piece counts as needing connections, because its definition is unknown. */
export function isStrict(configured: Pick<WorkspaceIntegration, 'integrationName' | 'connectionStrategy'>): boolean {
  const piece = findPiece(configured.integrationName);
  return configured.connectionStrategy === 'per_user' && (piece === undefined || (piece.auth?.types.length ?? 0) > 0);
}

/**
 * Locks the integrations of a workspace until `tx` ends. No other transaction can configure an integration, change it to per_user, or share a bearer
 * token.
 */
export function lockInstances(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  return lock(tx, `instances ${workspaceId.toLowerCase()}`);
}

/**
 * Throws MCP_BEARER_BLOCKS_PER_USER if an MCP server of the workspace has a bearer token without an end user. Must be called in the transaction that
 * called `lockInstances`.
 */
export async function requireNoShares(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  if ((await tx.bearerShare.count({ where: { orgId: caller().orgId, workspaceId } })) === 0) return;
  throw new ApiError(
    'MCP_BEARER_BLOCKS_PER_USER',
    'An MCP server of this workspace has a bearer token without an end user. Integrations with one connection per user cannot be called with it',
  );
}
