import { ApiError, hashToken, invalid, MCP_OAUTH_TOKEN, MCP_TOKEN, newId, newToken } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import {
  type IssuedMcpToken,
  type IssueMcpTokenRequest,
  IssueMcpTokenRequestDefaults,
} from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { type Prisma, type Server, type Token } from '../gen/prisma/client.js';
import { findServer } from '../servers/find-server.js';
import { lockServer } from '../servers/lock-server.js';
import { requireMayHandOut, requireUsable } from '../servers/require-usable.js';
import { isBearerEnabled, isOAuthEnabled } from '../servers/server-auth.js';
import { type ServerParts } from '../servers/server-parts.js';
import { type EndUser } from './find-end-user.js';
import { requestedScopes } from './requested-scopes.js';

export type TokenKind = 'bearer' | 'oauth';

const KINDS = {
  bearer: { prefix: MCP_TOKEN, isEnabled: isBearerEnabled, refusal: 'MCP_BEARER_DISABLED', what: 'bearers' },
  oauth: { prefix: MCP_OAUTH_TOKEN, isEnabled: isOAuthEnabled, refusal: 'MCP_OAUTH_DISABLED', what: 'OAuth tokens' },
} as const;

/** Of an end user, in a server, of a kind, that work at once: of more the oldest ends. */
const MAX_TOKENS = 100;

/**
 * Throws VALIDATION_ERROR, NOT_FOUND, FORBIDDEN, MCP_BEARER_DISABLED or MCP_OAUTH_DISABLED, INVALID_MCP_SCOPES and END_USER_NOT_FOUND.
 */
export async function issueToken(
  parts: ServerParts,
  kind: TokenKind,
  { id: serverId, endUserId: name, scopes, expiresIn = IssueMcpTokenRequestDefaults.expiresIn }: IssueMcpTokenRequest,
): Promise<IssuedMcpToken> {
  const found = await findServer(parts.db, serverId);
  await requireUsable(parts, found);
  requireEnabled(found, kind);
  const granted = requestedScopes(scopes, found.mode);
  requireMayHandOut();
  const endUser = await parts.findEndUser(found, name);
  const accessToken = newToken(KINDS[kind].prefix);
  const wanted = { ...endUser, kind, accessToken, scopes: granted, expiresIn };
  const token = await parts.db.$transaction((tx) => insert(tx, parts, serverId, wanted));
  return { accessToken, token: toWire(token) };
}

function requireEnabled(server: Server, kind: TokenKind): void {
  const { isEnabled, refusal, what } = KINDS[kind];
  if (isEnabled(server)) return;
  throw new ApiError(refusal, `MCP server ${server.id} takes no ${what}: its authMode is ${server.authMode}`);
}

interface WantedToken extends EndUser {
  kind: TokenKind;
  accessToken: string;
  scopes: string[];
  expiresIn: number;
}

/** What the server is now it stays until the commit: whoever turns the kind off then ends this one too. */
async function insert(
  tx: Prisma.TransactionClient,
  { guard, outbox }: ServerParts,
  serverId: string,
  wanted: WantedToken,
): Promise<Token> {
  const server = await lockServer(tx, serverId);
  await guard.requireNotDeleted(tx, server.workspaceId);
  requireEnabled(server, wanted.kind);
  requireItsOwn(server, wanted);
  const { orgId, workspaceId } = server;
  const { kind, accessToken, scopes, endUserId, endUserRecordId, expiresIn } = wanted;
  const [id, tokenPrefix] = [newId(), accessToken.slice(0, 8)];
  await tx.$executeRaw`
    INSERT INTO mcp.tokens (id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id,
      end_user_record_id, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${serverId}::uuid, ${kind}, ${hashToken(accessToken)},
      ${tokenPrefix}, ${scopes}, ${endUserId}, ${endUserRecordId}::uuid, now() + ${expiresIn}::int * interval '1 second')`;
  await endOldest(tx, server, wanted);
  const reason = `${kind} of end user ${endUserId}: ${scopes.join(' ')}`;
  await outbox.record(tx, { id, name: tokenPrefix, workspaceId, reason });
  return tx.token.findFirstOrThrow({ where: { id, orgId } });
}

/** Throws VALIDATION_ERROR. */
function requireItsOwn({ endUserId, endUserRecordId }: Server, wanted: EndUser): void {
  if (endUserId === null || endUserRecordId === wanted.endUserRecordId) return;
  throw invalid({ endUserId: `the server is for end user ${endUserId} alone` });
}

async function endOldest(tx: Prisma.TransactionClient, { id, orgId }: Server, wanted: WantedToken): Promise<void> {
  const { kind, endUserRecordId } = wanted;
  await tx.$executeRaw`
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM mcp.tokens
      WHERE server_id = ${id}::uuid AND end_user_record_id = ${endUserRecordId}::uuid AND kind = ${kind}
      ORDER BY created_at DESC, id DESC OFFSET ${MAX_TOKENS})`;
}
