import { type McpTokenServiceDefinition } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { type Implementation } from '@drawbridge/rpc';
import { type ServerParts } from '../servers/server-parts.js';
import { issueToken } from './issue-token.js';
import { listTokens } from './list-tokens.js';
import { revokeToken } from './revoke-token.js';

export const tokens = (parts: ServerParts): Implementation<McpTokenServiceDefinition> => ({
  issueMcpAccessToken: (request) => issueToken(parts, 'bearer', request),

  issueMcpOAuthToken: (request) => issueToken(parts, 'oauth', request),

  listMcpTokens: (request) => listTokens(parts, request),

  revokeMcpToken: (request) => revokeToken(parts, request),
});
