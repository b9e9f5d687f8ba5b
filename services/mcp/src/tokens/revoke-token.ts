import { notFound } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type RevokeMcpTokenRequest } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { lockServer } from '../servers/lock-server.js';
import { findServer } from '../servers/find-server.js';
import { type ServerParts } from '../servers/server-parts.js';

/**
 * Deletes a token of a server. If it was issued for a grant, deletes the grant, too, because its refresh token would obtain the next one. Works on a
 * suspended server, too. Throws NOT_FOUND and SCOPE_DENIED.
 */
export async function revokeToken(
  { db, outbox }: ServerParts,
  { id, tokenId }: RevokeMcpTokenRequest,
): Promise<Deleted> {
  const { id: serverId, orgId, workspaceId } = await findServer(db, id);
  await db.$transaction(async (tx) => {
    await lockServer(tx, serverId); // A refresh of the same authorization holds this lock while it issues the next token.
    const token = await tx.token.findFirst({ where: { id: tokenId, serverId, orgId } });
    if (!token) throw notFound('MCP token', tokenId);
    await tx.token.deleteMany({ where: { id: tokenId, orgId } });
    if (token.grantId !== null) await tx.oAuthGrant.deleteMany({ where: { id: token.grantId, orgId } });
    const reason = `${token.kind} of end user ${token.endUserId}`;
    await outbox.record(tx, { id: tokenId, name: token.tokenPrefix, workspaceId, reason });
  });
  return { deleted: true, id: tokenId };
}
