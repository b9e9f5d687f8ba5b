import { toWire } from '@drawbridge/database';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type ListMcpTokensRequest, type McpTokenList } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { type Token } from '../gen/prisma/client.js';
import { findServer } from '../servers/find-server.js';
import { type ServerParts } from '../servers/server-parts.js';

/** A server that is open to everyone can have any number of tokens, and counting reads each. */
const MAX_COUNTED = 10_000;

/** Returns the tokens of a server that have not expired, newest first. Throws NOT_FOUND and SCOPE_DENIED. */
export async function listTokens(
  { db }: ServerParts,
  { id, limit = PageDefaults.limit, offset = PageDefaults.offset }: ListMcpTokensRequest,
): Promise<McpTokenList> {
  const { id: serverId, orgId } = await findServer(db, id);
  const [rows, [counted]] = await Promise.all([
    db.$queryRaw<Token[]>`
      SELECT id, kind, token_prefix AS "tokenPrefix", scopes, end_user_id AS "endUserId", expires_at AS "expiresAt",
        created_at AS "createdAt"
      FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND server_id = ${serverId}::uuid AND expires_at > now()
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
    db.$queryRaw<{ total: number }[]>`
      SELECT count(*)::int AS total FROM (
        SELECT FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND server_id = ${serverId}::uuid AND expires_at > now()
        LIMIT ${MAX_COUNTED}) AS counted`,
  ]);
  const tokens = rows.map(({ kind, ...token }) => ({ kind, token: toWire(token) }));
  return { tokens, total: counted?.total ?? 0 };
}
