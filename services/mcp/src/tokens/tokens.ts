import {
  ApiError,
  hashToken,
  invalid,
  MCP_OAUTH_TOKEN,
  MCP_TOKEN,
  newId,
  newToken,
  notFound,
} from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Deleted, PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type IssuedMcpToken,
  type IssueMcpTokenRequest,
  IssueMcpTokenRequestDefaults,
  type ListMcpTokensRequest,
  type McpTokenList,
  type McpTokenServiceDefinition,
  type RevokeMcpTokenRequest,
} from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { type Implementation } from '@drawbridge/rpc';
import { type EndUser, isBearerEnabled, isOAuthEnabled, scopesOf } from '../access/token-access.js';
import { type Prisma, type Server, type Token } from '../gen/prisma/client.js';
import { findServer, lockServer, requireMayHandOut, requireUsable } from '../servers/server-rows.js';
import { type Parts } from '../parts.js';

export const tokens = (parts: Parts): Implementation<McpTokenServiceDefinition> => ({
  issueMcpAccessToken: (request) => issueToken(parts, 'bearer', request),

  issueMcpOAuthToken: (request) => issueToken(parts, 'oauth', request),

  listMcpTokens: (request) => listTokens(parts, request),

  revokeMcpToken: (request) => revokeToken(parts, request),
});

const KINDS = {
  bearer: { prefix: MCP_TOKEN, isEnabled: isBearerEnabled, refusal: 'MCP_BEARER_DISABLED', what: 'bearers' },
  oauth: { prefix: MCP_OAUTH_TOKEN, isEnabled: isOAuthEnabled, refusal: 'MCP_OAUTH_DISABLED', what: 'OAuth tokens' },
} as const;

/**
 * Issues a token for an end user. Throws VALIDATION_ERROR, NOT_FOUND, FORBIDDEN, MCP_BEARER_DISABLED or MCP_OAUTH_DISABLED, INVALID_MCP_SCOPES and
 * END_USER_NOT_FOUND.
 */
async function issueToken(
  parts: Parts,
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
  throw new ApiError(refusal, `MCP server ${server.id} accepts no ${what}, because its authMode is ${server.authMode}`);
}

/** Inserts a token under the lock of its server, so that a concurrent change that disables this kind of token also revokes this token. */
async function insert(
  tx: Prisma.TransactionClient,
  { guard, outbox }: Parts,
  serverId: string,
  wanted: WantedToken,
): Promise<Token> {
  const server = await lockServer(tx, serverId);
  await guard.requireNotDeleted(tx, server.workspaceId);
  requireEnabled(server, wanted.kind);
  requireItsOwn(server, wanted);
  const id = await insertToken(tx, server, wanted);
  const token = await tx.token.findFirstOrThrow({ where: { id, orgId: server.orgId } });
  const reason = `${token.kind} of end user ${token.endUserId}: ${token.scopes.join(' ')}`;
  await outbox.record(tx, { id, name: token.tokenPrefix, workspaceId: token.workspaceId, reason });
  return token;
}

/** Throws VALIDATION_ERROR if the server is for another end user. */
function requireItsOwn({ endUserId, endUserRecordId }: Server, wanted: EndUser): void {
  if (endUserId === null || endUserRecordId === wanted.endUserRecordId) return;
  throw invalid({ endUserId: `must be ${endUserId}, the end user of the server` });
}

const KNOWN = scopesOf('CODE');

/** Returns the scopes of a new token, by default all scopes of the mode. Throws VALIDATION_ERROR and INVALID_MCP_SCOPES. */
export function requestedScopes(asked: readonly unknown[] | undefined, mode: string): string[] {
  const offered = scopesOf(mode);
  if (asked === undefined) return offered;
  if (asked.length === 0) throw invalid({ scopes: 'must not be empty' });
  const unknown = asked.flatMap((scope, index) => (KNOWN.some((one) => one === scope) ? [] : [index]));
  if (unknown.length > 0)
    throw invalid(
      Object.fromEntries(unknown.map((index) => [`scopes[${index}]`, `must be one of ${KNOWN.join(', ')}`])),
    );
  const lacking = asked.find((scope) => !offered.some((one) => one === scope));
  if (lacking !== undefined)
    throw new ApiError('INVALID_MCP_SCOPES', `A server in mode ${mode} does not support the scope ${String(lacking)}`);
  return KNOWN.filter((scope) => asked.includes(scope));
}

/**
 * Maximum number of valid bearer tokens of one end user for one server. A further token revokes the oldest. OAuth tokens are limited by their grant.
 */
const MAX_TOKENS = 100;

interface WantedToken extends EndUser {
  kind: 'bearer' | 'oauth';
  accessToken: string;
  scopes: string[];
  /** The lifetime in seconds. */
  expiresIn: number;
  /** The grant for which the token is issued. */
  grantId?: string;
}

/** Inserts a token and returns its id. The caller must have locked the server. The times of the token come from the database's clock. */
export async function insertToken(
  tx: Prisma.TransactionClient,
  server: Pick<Server, 'id' | 'orgId' | 'workspaceId'>,
  wanted: WantedToken,
): Promise<string> {
  const { id: serverId, orgId, workspaceId } = server;
  const { kind, accessToken, scopes, endUserId, endUserRecordId, expiresIn, grantId = null } = wanted;
  const id = newId();
  await tx.$executeRaw`
    INSERT INTO mcp.tokens (id, org_id, workspace_id, server_id, kind, token_hash, token_prefix, scopes, end_user_id,
      end_user_record_id, grant_id, expires_at)
    VALUES (${id}::uuid, ${orgId}::uuid, ${workspaceId}::uuid, ${serverId}::uuid, ${kind}, ${hashToken(accessToken)},
      ${accessToken.slice(0, 8)}, ${scopes}, ${endUserId}, ${endUserRecordId}::uuid, ${grantId}::uuid,
      now() + ${expiresIn}::int * interval '1 second')`;
  if (grantId !== null) return id;
  // By id, the order of issue: created_at is the start of the transaction, before its wait for the lock.
  await tx.$executeRaw`
    DELETE FROM mcp.tokens WHERE org_id = ${orgId}::uuid AND id IN (
      SELECT id FROM mcp.tokens
      WHERE server_id = ${serverId}::uuid AND end_user_record_id = ${endUserRecordId}::uuid AND kind = ${kind} AND grant_id IS NULL
      ORDER BY expires_at > now() DESC, id DESC OFFSET ${MAX_TOKENS})`;
  return id;
}

/** The total of a list is counted up to this number: a server that is open to everyone can have many tokens, and counting reads each of them. */
const MAX_COUNTED = 10_000;

/** Returns the tokens of a server that have not expired, newest first. Throws NOT_FOUND and SCOPE_DENIED. */
async function listTokens(
  { db }: Parts,
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

/**
 * Deletes a token of a server, even if the server is suspended. If the token was issued for an OAuth grant, also deletes the grant, because its
 * refresh token would obtain the next access token. Throws NOT_FOUND and SCOPE_DENIED.
 */
export async function revokeToken({ db, outbox }: Parts, { id, tokenId }: RevokeMcpTokenRequest): Promise<Deleted> {
  const { id: serverId, orgId, workspaceId } = await findServer(db, id);
  await db.$transaction(async (tx) => {
    await lockServer(tx, serverId); // A concurrent refresh of the grant takes this lock, too, so it cannot issue a token after the deletion.
    const token = await tx.token.findFirst({ where: { id: tokenId, serverId, orgId } });
    if (!token) throw notFound('MCP token', tokenId);
    await tx.token.deleteMany({ where: { id: tokenId, orgId } });
    if (token.grantId !== null) await tx.oAuthGrant.deleteMany({ where: { id: token.grantId, orgId } });
    const reason = `${token.kind} of end user ${token.endUserId}`;
    await outbox.record(tx, { id: tokenId, name: token.tokenPrefix, workspaceId, reason });
  });
  return { deleted: true, id: tokenId };
}
