import {
  type CreatedMcpServer,
  type CreateMcpServerRequest,
  CreateMcpServerRequestDefaults,
  McpCodeModeSettingsDefaults,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { caller } from '@drawbridge/rpc';
import { type ServerParts } from './server-parts.js';
import { changeOf, toMcpServer } from './to-server.js';

/** Throws NOT_FOUND (workspace) and FORBIDDEN (a suspended one). */
export async function createServer(
  { db, guard, outbox, requireWorkspaceNow }: ServerParts,
  { settings, ...request }: CreateMcpServerRequest,
): Promise<CreatedMcpServer> {
  const { orgId, userId } = caller();
  const { workspaceId } = request;
  await requireWorkspaceNow(workspaceId);
  const approvalWaitSeconds =
    settings?.codeMode?.approvalWaitSeconds ?? McpCodeModeSettingsDefaults.approvalWaitSeconds;
  const { mode, authMode, endUserAccess } = { ...CreateMcpServerRequestDefaults, ...request };
  return db.$transaction(async (tx) => {
    await guard.requireNotDeleted(tx, workspaceId);
    const data = { ...request, orgId, userId, approvalWaitSeconds, mode, authMode, endUserAccess };
    const row = await tx.server.create({ data });
    await outbox.record(tx, changeOf(row));
    return { server: toMcpServer(row) };
  });
}
