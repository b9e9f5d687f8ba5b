import { type RetentionRule } from '@drawbridge/events';
import { type McpOAuthServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Implementation } from '@drawbridge/rpc';
import { authorize, getAuthorization } from './authorize.js';
import { findClient, OLD_CLIENTS, registerClient } from './clients.js';
import { listConsentTools } from './list-consent-tools.js';
import { type OAuthParts } from './oauth-parts.js';
import { redeemCode } from './redeem.js';
import { refreshTokens } from './refresh.js';
import { revokeToken } from './revoke.js';
import { serverTurns } from './server-turns.js';

/** Implements OAuth: clients, the grants that users give them, and their tokens. */
export function oauth(given: Omit<OAuthParts, 'atServer'>): Implementation<McpOAuthServiceDefinition> {
  const parts = { ...given, atServer: serverTurns() };
  return {
    registerOAuthClient: ({ metadataJson }) => registerClient(parts.db, metadataJson),

    getOAuthClient: ({ clientId }) => findClient(parts, clientId),

    getAuthorization: (request) => getAuthorization(parts, request),

    listConsentTools: (request) => listConsentTools(parts, request),

    authorize: (request) => authorize(parts, request),

    redeemCode: (request) => redeemCode(parts, request),

    refreshTokens: (request) => refreshTokens(parts, request),

    async revokeOAuthToken(request) {
      await revokeToken(parts.pool, request);
      return {};
    },
  };
}

/** Expired clients, refresh tokens and grants. */
export const OLD_OAUTH: RetentionRule[] = [
  OLD_CLIENTS,
  ...['mcp.oauth_refresh_tokens', 'mcp.oauth_grants'].map((table) => ({
    table,
    key: 'id',
    oldest: 'expires_at',
    expired: 'expires_at < now()',
  })),
];
