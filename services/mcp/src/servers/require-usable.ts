import { ApiError, suspended } from '@drawbridge/contracts';
import { caller, isGranted } from '@drawbridge/rpc';
import { type Server } from '../gen/prisma/client.js';
import { type ServerParts } from './server-parts.js';

/** Throws NOT_FOUND (workspace), and FORBIDDEN if the server or its workspace is suspended. */
export async function requireUsable(
  { requireWorkspaceNow }: Pick<ServerParts, 'requireWorkspaceNow'>,
  { id, workspaceId, suspendedAt, suspensionReason }: Server,
): Promise<void> {
  if (suspendedAt !== null) throw suspended('MCP server', id, suspensionReason);
  await requireWorkspaceNow(workspaceId);
}

/** Throws FORBIDDEN unless the caller may execute actions: a token executes what the server offers, so it must not grant more than the caller has. */
export function requireMayHandOut(): void {
  if (isGranted('actions.execute', caller().permissions)) return;
  throw new ApiError('FORBIDDEN', 'A token executes actions: to be given one takes the permission actions.execute');
}
