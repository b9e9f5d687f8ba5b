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

interface McpTokensQuery extends Omit<ListMcpTokensRequest, 'id'> {}

interface McpTokenList {
  /** Newest first. Expired tokens and the static bearer are not listed. */
  tokens: StoredMcpToken[];
  /**
   * At most 10,000 are counted.
   * @isInt
   */
  total: number;
}

interface StoredMcpToken extends McpToken {
  /** `bearer`; absent for OAuth access tokens. */
  authMethod?: 'bearer';
  /** `mcp_bearer`; absent for OAuth access tokens. */
  tokenType?: 'mcp_bearer';
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
    return {
      accessToken,
      bearerToken: accessToken,
      token: { ...token!, ...BEARER },
      mcpEndpoint: endpointOf(this.site, request, id),
    };
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

  /** Lists the tokens of end users that have not expired. No answer shows a token again. */
  @Get('tokens')
  @Extension('x-fails', ['NOT_FOUND'])
  async listMcpTokens(@Path() id: Uuid, @Queries() query: McpTokensQuery): Promise<McpTokenList> {
    const { tokens, total } = await this.services.mcpTokens.listMcpTokens({ id, ...query });
    return { tokens: tokens.map(toStored), total };
  }

  /**
   * Revokes one token: requests with it are refused from this answer on. A token that an end user authorized by OAuth ends
   * with its whole authorization, refresh token included.
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
