import { type IssueMcpTokenRequest, type McpToken } from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Extension, Path, Post, Request, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';
import { endpointOf } from './mcp-endpoint.js';

interface IssueMcpTokenBody extends Omit<IssueMcpTokenRequest, 'id'> {}

interface McpBearerToken extends McpToken {
  authMethod: 'bearer';
  tokenType: 'mcp_bearer';
}

interface IssuedMcpBearer {
  /** mcp_…; no other answer shows it. */
  accessToken: string;
  /** The same. */
  bearerToken: string;
  token: McpBearerToken;
  mcpEndpoint: string;
}

interface IssuedMcpOAuthToken {
  /** mcpo_…; no other answer shows it. */
  accessToken: string;
  token: McpToken;
  mcpEndpoint: string;
}

@Route('api/v1/mcp/servers/{id}')
@Tags('MCP servers')
export class McpTokensController extends ApiController {
  /** A bearer for the agents of one end user: what they do is done for that person, with their connections. */
  @Post('access-tokens')
  @SuccessResponse(201)
  @Extension('x-fails', ['INVALID_MCP_SCOPES', 'NOT_FOUND', 'END_USER_NOT_FOUND', 'MCP_BEARER_DISABLED'])
  @Extension('x-example', { endUserId: 'user-42', expiresIn: 86_400 })
  async issueMcpAccessToken(
    @Path() id: Uuid,
    @Body() body: IssueMcpTokenBody,
    @Request() request: HttpRequest,
  ): Promise<IssuedMcpBearer> {
    const { accessToken, token } = await this.services.mcpTokens.issueMcpAccessToken({ id, ...body });
    const shown: McpBearerToken = { ...token!, authMethod: 'bearer', tokenType: 'mcp_bearer' };
    return { accessToken, bearerToken: accessToken, token: shown, mcpEndpoint: endpointOf(this.site, request, id) };
  }

  /** The same as an access token of OAuth, without the person being asked. */
  @Post('oauth-tokens')
  @SuccessResponse(201)
  @Extension('x-fails', ['INVALID_MCP_SCOPES', 'NOT_FOUND', 'END_USER_NOT_FOUND', 'MCP_OAUTH_DISABLED'])
  @Extension('x-example', { endUserId: 'user-42', scopes: ['mcp:tools'] })
  async issueMcpOAuthToken(
    @Path() id: Uuid,
    @Body() body: IssueMcpTokenBody,
    @Request() request: HttpRequest,
  ): Promise<IssuedMcpOAuthToken> {
    const { accessToken, token } = await this.services.mcpTokens.issueMcpOAuthToken({ id, ...body });
    return { accessToken, token: token!, mcpEndpoint: endpointOf(this.site, request, id) };
  }
}
