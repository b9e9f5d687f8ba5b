import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type IssueMcpTokenRequest,
  type ListedMcpToken,
  type ListMcpTokensRequest,
  type McpToken,
} from '@drawbridge/proto/drawbridge/mcp/v1/tokens';
import { type Uuid } from '@drawbridge/proto/uuid';
import {
  Body,
  Delete,
  Extension,
  Get,
  Path,
  Post,
  Queries,
  Request,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';
import { endpointOf } from '../mcp/oauth/metadata.js';

interface IssueMcpTokenBody extends Omit<IssueMcpTokenRequest, 'id'> {}

interface McpBearerToken extends McpToken {
  authMethod: 'bearer';
  tokenType: 'mcp_bearer';
}

interface IssuedMcpBearer {
  /** The bearer token (`mcp_…`). No other response contains it. */
  accessToken: string;
  /** The same value as `token`. */
  bearerToken: string;
  token: McpBearerToken;
  mcpEndpoint: string;
}

interface IssuedMcpOAuthToken {
  /** The OAuth access token (`mcpo_…`). No other response contains it. */
  accessToken: string;
  token: McpToken;
  mcpEndpoint: string;
}

interface McpTokensQuery extends Omit<ListMcpTokensRequest, 'id'> {}

interface McpTokenList {
  /** The tokens, newest first, without expired tokens and the static bearer token. */
  tokens: StoredMcpToken[];
  /**
   * The number of tokens, counted up to 10,000.
   * @isInt
   */
  total: number;
}

interface StoredMcpToken extends McpToken {
  /** `bearer`, or absent for OAuth access tokens. */
  authMethod?: 'bearer';
  /** `mcp_bearer`, or absent for OAuth access tokens. */
  tokenType?: 'mcp_bearer';
}

@Route('api/v1/mcp/servers/{id}')
@Tags('MCP servers')
export class McpTokensController extends ApiController {
  /** Creates a bearer token for the agents of one end user. Calls with it run on behalf of that end user, with their connections. */
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
    return {
      accessToken,
      bearerToken: accessToken,
      token: { ...token!, ...BEARER },
      mcpEndpoint: endpointOf(this.site, request, id),
    };
  }

  /** Creates an OAuth access token for an end user without their consent page. */
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

  /** Lists the tokens of end users that have not expired. The response contains no token values. */
  @Get('tokens')
  @Extension('x-fails', ['NOT_FOUND'])
  async listMcpTokens(@Path() id: Uuid, @Queries() query: McpTokensQuery): Promise<McpTokenList> {
    const { tokens, total } = await this.services.mcpTokens.listMcpTokens({ id, ...query });
    return { tokens: tokens.map(toStored), total };
  }

  /**
   * Revokes one token. Requests with it are rejected immediately. For a token that an end user authorized by OAuth, the whole authorization is
   * revoked, including its refresh token.
   */
  @Delete('tokens/{tokenId}')
  @Extension('x-fails', ['NOT_FOUND'])
  async revokeMcpToken(@Path() id: Uuid, @Path() tokenId: Uuid): Promise<Deleted> {
    return this.services.mcpTokens.revokeMcpToken({ id, tokenId });
  }
}

const BEARER = { authMethod: 'bearer', tokenType: 'mcp_bearer' } as const;

function toStored({ token, kind }: ListedMcpToken): StoredMcpToken {
  return { ...token!, ...(kind === 'bearer' && BEARER) };
}
