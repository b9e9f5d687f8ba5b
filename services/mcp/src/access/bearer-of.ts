import { type McpBearer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { isBearerEnabled, isOAuthEnabled, isStaticBearerEnabled } from '../servers/server-auth.js';
import { scopesOf } from '../tokens/scopes.js';
import { type FoundAccess } from './find-access.js';

/** Returns what a token allows; undefined if the server does not accept it, or no longer does. */
export function bearerOf(found: FoundAccess): McpBearer | undefined {
  if (found.isStatic === true) return isStaticBearerEnabled(found) ? staticBearer(found) : undefined;
  const { tokenId: id, tokenKind: kind, tokenScopes, tokenEndUserId, tokenEndUserRecordId, tokenExpiresAt } = found;
  if (id === null || kind === null || tokenEndUserRecordId === null) return undefined;
  if (!(kind === 'oauth' ? isOAuthEnabled(found) : isBearerEnabled(found))) return undefined;
  // A server for one end user accepts no tokens of others, even if they were issued earlier.
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
