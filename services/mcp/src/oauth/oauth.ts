import { type McpOAuthServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Implementation } from '@drawbridge/rpc';
import { type Parts } from '../parts.js';
import { authorize, getAuthorization } from './authorize.js';
import { findClient, registerClient } from './clients.js';
import { listConsentTools } from './consent-tools.js';
import { redeemCode, refreshTokens, revokeToken } from './token-endpoint.js';

/** Implements the OAuth authorization server: clients, the grants of users to clients, and the tokens of grants. */
export const oauth = (parts: Parts): Implementation<McpOAuthServiceDefinition> => ({
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
});
