import { ApiError, suspended } from '@drawbridge/contracts';
import { caller, isGranted } from '@drawbridge/rpc';
import { type Server } from '../gen/prisma/client.js';
import { type ServerParts } from './server-parts.js';

/** For what is done with a server, or in it. Throws NOT_FOUND (workspace), and FORBIDDEN where it or its workspace is suspended. */
export async function requireUsable(
  { requireWorkspaceNow }: Pick<ServerParts, 'requireWorkspaceNow'>,
  { id, workspaceId, suspendedAt, suspensionReason }: Server,
): Promise<void> {
  if (suspendedAt !== null) throw suspended('MCP server', id, suspensionReason);
  await requireWorkspaceNow(workspaceId);
}

/** Whoever is handed a token can execute what the server offers: nobody is given more than they have. Throws FORBIDDEN. */
export function requireMayHandOut(): void {
  if (isGranted('actions.execute', caller().permissions)) return;
  throw new ApiError('FORBIDDEN', 'A token executes actions: to be given one takes the permission actions.execute');
}
