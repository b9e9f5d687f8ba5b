import { ApiError, invalid, MCP_OAUTH_TOKEN, MCP_TOKEN, newToken } from '@drawbridge/contracts';
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
import { insertToken, type WantedToken } from './insert-token.js';
import { requestedScopes } from './requested-scopes.js';

const KINDS = {
  bearer: { prefix: MCP_TOKEN, isEnabled: isBearerEnabled, refusal: 'MCP_BEARER_DISABLED', what: 'bearers' },
  oauth: { prefix: MCP_OAUTH_TOKEN, isEnabled: isOAuthEnabled, refusal: 'MCP_OAUTH_DISABLED', what: 'OAuth tokens' },
} as const;

/**
 * Issues a token for an end user. Throws VALIDATION_ERROR, NOT_FOUND, FORBIDDEN, MCP_BEARER_DISABLED or MCP_OAUTH_DISABLED, INVALID_MCP_SCOPES and
 * END_USER_NOT_FOUND.
 */
export async function issueToken(
  parts: ServerParts,
  kind: keyof typeof KINDS,
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

function requireEnabled(server: Server, kind: keyof typeof KINDS): void {
  const { isEnabled, refusal, what } = KINDS[kind];
  if (isEnabled(server)) return;
  throw new ApiError(refusal, `MCP server ${server.id} takes no ${what}: its authMode is ${server.authMode}`);
}

/** Locks the server until the commit, so that turning the kind off also ends this token. */
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
  const { id, orgId, workspaceId, tokenPrefix } = await insertToken(tx, server, wanted);
  const { kind, scopes, endUserId } = wanted;
  const reason = `${kind} of end user ${endUserId}: ${scopes.join(' ')}`;
  await outbox.record(tx, { id, name: tokenPrefix, workspaceId, reason });
  return tx.token.findFirstOrThrow({ where: { id, orgId } });
}

/** Throws VALIDATION_ERROR if the server is for another end user. */
function requireItsOwn({ endUserId, endUserRecordId }: Server, wanted: EndUser): void {
  if (endUserId === null || endUserRecordId === wanted.endUserRecordId) return;
  throw invalid({ endUserId: `the server is for end user ${endUserId} alone` });
}
