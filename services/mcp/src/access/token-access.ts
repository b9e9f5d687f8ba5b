import { ApiError, isId } from '@drawbridge/contracts';
import { EndUserServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type McpBearer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type McpServerAuth } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import { memoize, type Memoized, type Network } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Server, type Token } from '../gen/prisma/client.js';

/** Finds a server by its id and a token by its hash. The query uses two unique indexes, so that its cost does not depend on the number of tokens. */
const FIND = {
  name: 'find-mcp-access',
  text: `
    SELECT s.id, s.org_id AS "orgId", s.workspace_id AS "workspaceId", s.user_id AS "userId", s.name, s.description, s.mode,
      s.approval_wait_seconds AS "approvalWaitSeconds", s.tool_discovery AS "toolDiscovery", s.auth_mode AS "authMode", s.end_user_access AS "endUserAccess",
      s.end_user_id AS "endUserId", s.end_user_record_id AS "endUserRecordId", s.share_id AS "shareId", s.version,
      s.suspended_at IS NOT NULL AS "isSuspended", s.suspension_reason AS "suspensionReason",
      s.static_token_hash = $2 AS "isStatic",
      t.id AS "tokenId", t.kind AS "tokenKind", t.scopes AS "tokenScopes", t.end_user_id AS "tokenEndUserId",
      t.end_user_record_id AS "tokenEndUserRecordId", t.expires_at AS "tokenExpiresAt"
    FROM mcp.servers s
    LEFT JOIN mcp.tokens t ON t.token_hash = $2 AND t.server_id = s.id AND t.expires_at > now()
    WHERE s.id = $1`,
};

/** A server, and the token if it is valid for this server. */
export interface FoundAccess extends Omit<
  Server,
  'suspendedAt' | 'staticTokenHash' | 'createdBy' | 'createdAt' | 'updatedAt'
> {
  isSuspended: boolean;
  /** Null if the server has no static bearer token. */
  isStatic: boolean | null;
  tokenId: string | null;
  tokenKind: string | null;
  tokenScopes: string[] | null;
  tokenEndUserId: string | null;
  tokenEndUserRecordId: string | null;
  tokenExpiresAt: Date | null;
}

/** Returns a server, and its token with this hash if the token is valid. Reads the database without a cache. */
export async function findAccess(pool: Pool, serverId: string, tokenHash: string): Promise<FoundAccess | undefined> {
  if (!isId(serverId)) return undefined;
  const { rows } = await pool.query<FoundAccess>({ ...FIND, values: [serverId, tokenHash] });
  return rows[0];
}

/** Cache lifetime. The gateway may use a result for another 450 ms (`FRESH_MS` of its MCP endpoint), and the sum must be below a second. */
const ACCESS_MS = 450;

/**
 * Caches `findAccess` for each token and server. `forget` drops all results: call it after a change that this process committed. Changes of other
 * processes take effect within a second.
 */
export function accessLookUp(pool: Pool): Memoized<FoundAccess | undefined, []> {
  return memoize({ ttlMs: ACCESS_MS }, (key) => {
    const [serverId, tokenHash] = key.split(' ') as [string, string];
    return findAccess(pool, serverId, tokenHash);
  });
}

/** Returns the end user and the scopes of a token, or undefined if the server does not accept the token. */
export function bearerOf(found: FoundAccess): McpBearer | undefined {
  if (found.isStatic === true) return isStaticBearerEnabled(found) ? staticBearer(found) : undefined;
  const { tokenId: id, tokenKind: kind, tokenScopes, tokenEndUserId, tokenEndUserRecordId, tokenExpiresAt } = found;
  if (id === null || kind === null || tokenEndUserRecordId === null) return undefined;
  if (!(kind === 'oauth' ? isOAuthEnabled(found) : isBearerEnabled(found))) return undefined;
  // A server for one end user accepts no tokens of other end users, even if they were issued earlier.
  if (found.endUserId !== null && found.endUserRecordId !== tokenEndUserRecordId) return undefined;
  const offered = scopesOf(found.mode);
  return {
    id,
    kind,
    scopes: (tokenScopes ?? []).filter((scope) => offered.includes(scope)),
    endUserId: tokenEndUserId ?? undefined,
    endUserRecordId: tokenEndUserRecordId,
    expiresAt: tokenExpiresAt?.toISOString(),
  };
}

function staticBearer({ id, mode, endUserId, endUserRecordId }: FoundAccess): McpBearer {
  return {
    id,
    kind: 'static',
    scopes: scopesOf(mode),
    endUserId: endUserId ?? undefined,
    endUserRecordId: endUserRecordId ?? undefined,
  };
}

/** The fields that determine how agents authenticate. */
type AuthFacts = Pick<Server, 'authMode' | 'endUserId' | 'endUserRecordId' | 'shareId'>;

export const isOAuthEnabled = ({ authMode }: Pick<AuthFacts, 'authMode'>): boolean =>
  authMode === 'oauth' || authMode === 'oauth_and_bearer';

export const isBearerEnabled = ({ authMode }: Pick<AuthFacts, 'authMode'>): boolean =>
  authMode === 'bearer' || authMode === 'oauth_and_bearer';

/** Returns whether the server accepts a static bearer token. It must be for one end user, or have a share: catalog's permission for anonymous use. */
export function isStaticBearerEnabled(facts: AuthFacts): boolean {
  const isSafe = facts.endUserId === null ? facts.shareId !== null : facts.endUserRecordId !== null;
  return isBearerEnabled(facts) && isSafe;
}

export function authOf(facts: AuthFacts): McpServerAuth {
  const bearerEnabled = isBearerEnabled(facts);
  return {
    oauthEnabled: isOAuthEnabled(facts),
    bearerEnabled,
    staticBearerEnabled: isStaticBearerEnabled(facts),
    endUserBearerTokensEnabled: bearerEnabled,
    // Always true, because every authMode accepts at least one kind of token.
    accessTokensEnabled: true,
  };
}

/** Returns the scopes that tokens of a server can have, by its mode. */
export function scopesOf(mode: string): string[] {
  return mode === 'CODE' ? ['mcp:tools', 'mcp:code'] : ['mcp:tools'];
}

/** The end user of a token. */
export type EndUser = Pick<Token, 'endUserId' | 'endUserRecordId'>;

type Place = Pick<FoundAccess, 'orgId' | 'workspaceId'>;

/** Finds the end user of a workspace with this externalId or id. Throws END_USER_NOT_FOUND. */
type FindEndUser = (place: Place, name: string) => Promise<EndUser>;

export function endUsers(network: Network): FindEndUser {
  const connections = network.client('connections', EndUserServiceDefinition);
  return async ({ orgId, workspaceId: placeId }, name) => {
    const { id, externalId } = await connections.getNamedEndUser({ orgId, placeId, name });
    if (id !== undefined && externalId !== undefined) return { endUserId: externalId, endUserRecordId: id };
    throw new ApiError('END_USER_NOT_FOUND', `End user ${name} not found in workspace ${placeId}`);
  };
}

/** Cache lifetime. The tokens of a deleted end user must be rejected within a second, although the event that deletes them may arrive later. */
const REMEMBER_MS = 900;
const GONE = '';

/** Returns whether the end user of a token still exists. A new end user with the externalId of a deleted one must not inherit its tokens. */
export type IsThere = (place: Place, bearer: Pick<McpBearer, 'endUserId' | 'endUserRecordId'>) => Promise<boolean>;

export function isThere(findEndUser: FindEndUser): IsThere {
  const recordOf = memoize({ ttlMs: REMEMBER_MS }, async (_key, place: Place, name: string) =>
    findEndUser(place, name).then(({ endUserRecordId }) => endUserRecordId, unlessGone),
  );
  return async (place, { endUserId, endUserRecordId }) => {
    if (endUserId === undefined) return true;
    const { orgId, workspaceId } = place;
    return (await recordOf([orgId, workspaceId, endUserId].join(' '), place, endUserId)) === endUserRecordId;
  };
}

function unlessGone(error: unknown): string {
  if (error instanceof ApiError && error.code === 'END_USER_NOT_FOUND') return GONE;
  throw error;
}
