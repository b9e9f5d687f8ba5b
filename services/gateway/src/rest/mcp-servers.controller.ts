import { toPatch } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type McpServer as StoredServer } from '@drawbridge/proto/drawbridge/mcp/v1/server';
import {
  type CreateMcpServerRequest,
  type ListMcpServersRequest,
  type McpServerChanges,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { type Uuid } from '@drawbridge/proto/uuid';
import {
  Body,
  Delete,
  Extension,
  Get,
  Patch,
  Path,
  Post,
  Queries,
  Request,
  Route,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { type Site } from '../http/site.js';
import { ApiController } from './api-controller.js';
import { endpointOf } from '../mcp/oauth/metadata.js';
import { type McpTool, shownTool } from './mcp-tools.controller.js';

interface McpServer extends StoredServer {
  /** The URL that agents connect to. */
  mcpEndpoint: string;
}

interface McpServerList {
  servers: McpServer[];
  /** @isInt */
  total: number;
}

interface CreatedMcpServer {
  server: McpServer;
  mcpEndpoint: string;
  /** The static bearer token (`mcp_…`), if the server has one. No other response contains it. */
  bearerToken?: string;
}

@Route('api/v1/mcp/servers')
@Tags('MCP servers')
export class McpServersController extends ApiController {
  /** Lists MCP servers, newest first. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listMcpServers(
    @Queries() query: ListMcpServersRequest,
    @Request() request: HttpRequest,
  ): Promise<McpServerList> {
    const { servers, total } = await this.services.mcpServers.listMcpServers(query);
    return { servers: servers.map((server) => withEndpoint(this.site, request, server)), total };
  }

  /**
   * Creates an MCP server that offers the integrations of a workspace to agents. The response contains `bearerToken` if `authMode` includes
   * bearer tokens and a token can be shared: no integration of the workspace needs a connection per user, or the server belongs to one end
   * user.
   */
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['QUOTA_EXCEEDED', 'NOT_FOUND', 'END_USER_NOT_FOUND'])
  @Extension('x-example', {
    name: 'Support agent',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    authMode: 'oauth_and_bearer',
  })
  async createMcpServer(
    @Body() body: CreateMcpServerRequest,
    @Request() request: HttpRequest,
  ): Promise<CreatedMcpServer> {
    const { server, bearerToken } = await this.services.mcpServers.createMcpServer(body);
    const shown = withEndpoint(this.site, request, server!);
    return { server: shown, mcpEndpoint: shown.mcpEndpoint, ...(bearerToken !== undefined && { bearerToken }) };
  }

  /** Returns an MCP server with the tools that were added to it. It also offers the enabled actions of the workspace. */
  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getMcpServer(
    @Path() id: Uuid,
    @Request() request: HttpRequest,
  ): Promise<{ server: McpServer; tools: McpTool[] }> {
    const { server, tools } = await this.services.mcpServers.getMcpServer({ id });
    return { server: withEndpoint(this.site, request, server!), tools: tools.map(shownTool) };
  }

  /** Updates the specified fields of an MCP server. Disabling bearer tokens or OAuth revokes all tokens of that kind. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND', 'END_USER_NOT_FOUND'])
  @Extension('x-example', { description: 'Answers customers', authMode: 'oauth' })
  async updateMcpServer(
    @Path() id: Uuid,
    @Body() body: McpServerChanges,
    @Request() request: HttpRequest,
  ): Promise<{ server: McpServer }> {
    const server = await this.services.mcpServers.updateMcpServer({ id, ...toPatch(body) });
    return { server: withEndpoint(this.site, request, server) };
  }

  /**
   * Suspends an MCP server: agents cannot connect until it is resumed. It can be read and deleted, and is listed with `includeSuspended`.
   */
  @Post('{id}/suspend')
  @Extension('x-fails', ['NOT_FOUND'])
  async suspendMcpServer(@Path() id: Uuid, @Request() request: HttpRequest): Promise<{ server: McpServer }> {
    const server = await this.services.mcpServers.suspendMcpServer({ id });
    return { server: withEndpoint(this.site, request, server) };
  }

  @Post('{id}/resume')
  @Extension('x-fails', ['QUOTA_EXCEEDED', 'NOT_FOUND'])
  async resumeMcpServer(@Path() id: Uuid, @Request() request: HttpRequest): Promise<{ server: McpServer }> {
    const server = await this.services.mcpServers.resumeMcpServer({ id });
    return { server: withEndpoint(this.site, request, server) };
  }

  /** Deletes an MCP server with its tools and tokens. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteMcpServer(@Path() id: Uuid): Promise<Deleted> {
    return this.services.mcpServers.deleteMcpServer({ id });
  }

  /** Creates a new static bearer token. No other response contains it. The previous token is revoked immediately. */
  @Post('{id}/regenerate-token')
  @Extension('x-fails', ['NOT_FOUND', 'MCP_BEARER_DISABLED', 'MCP_STATIC_BEARER_INCOMPATIBLE'])
  async regenerateMcpBearer(
    @Path() id: Uuid,
    @Request() request: HttpRequest,
  ): Promise<{ bearerToken: string; mcpEndpoint: string }> {
    const { serverId, bearerToken } = await this.services.mcpServers.regenerateMcpBearer({ id });
    return { bearerToken, mcpEndpoint: endpointOf(this.site, request, serverId) };
  }
}

function withEndpoint(site: Site, request: HttpRequest, server: StoredServer): McpServer {
  return { ...server, mcpEndpoint: endpointOf(site, request, server.id) };
}
