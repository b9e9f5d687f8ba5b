import { ApiError } from '@drawbridge/contracts';
import { lock } from '@drawbridge/database';
import { findPiece } from '@drawbridge/pieces';
import { caller } from '@drawbridge/rpc';
import { type Prisma } from '../gen/prisma/client.js';

interface Configured {
  integrationName: string;
  connectionStrategy: string;
}

/** Returns whether each end user needs a connection. A removed piece counts as needing one, because it is unknown. */
export function isStrict({ integrationName, connectionStrategy }: Configured): boolean {
  const piece = findPiece(integrationName);
  return connectionStrategy === 'per_user' && (piece === undefined || (piece.auth?.types.length ?? 0) > 0);
}

/** Locks the integrations of a workspace until `tx` ends: no other transaction configures one, makes one per-user, or shares a bearer token. */
export function lockInstances(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  return lock(tx, `instances ${workspaceId.toLowerCase()}`);
}

/** Call it under the lock of the workspace's integrations. Throws MCP_BEARER_BLOCKS_PER_USER. */
export async function requireNoShares(tx: Prisma.TransactionClient, workspaceId: string): Promise<void> {
  if ((await tx.bearerShare.count({ where: { orgId: caller().orgId, workspaceId } })) === 0) return;
  throw new ApiError(
    'MCP_BEARER_BLOCKS_PER_USER',
    'An MCP server of this workspace has a bearer that names nobody: nobody who comes by it would have a connection of their own',
  );
}
