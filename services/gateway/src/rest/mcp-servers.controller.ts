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
  /** Where agents reach it. */
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
  /** mcp_…, where the server has a static bearer. No other answer shows it. */
  bearerToken?: string;
}

@Route('api/v1/mcp/servers')
@Tags('MCP servers')
export class McpServersController extends ApiController {
  /** Newest first. */
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
   * What a workspace offers to agents. `bearerToken` is there where authMode has bearers and one can be shared: nobody in the workspace
   * needs a connection of their own, or the server is for one end user.
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

  /** With the tools that it was given; those of the workspace's integrations it offers beside them. */
  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getMcpServer(
    @Path() id: Uuid,
    @Request() request: HttpRequest,
  ): Promise<{ server: McpServer; tools: McpTool[] }> {
    const { server, tools } = await this.services.mcpServers.getMcpServer({ id });
    return { server: withEndpoint(this.site, request, server!), tools: tools.map(shownTool) };
  }

  /** Changes the keys that are given. Turning bearers, or OAuth, off ends all tokens of the kind. */
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

  /** No agent comes in by it until it is resumed. It can be read, is listed with includeSuspended, and can be deleted. */
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

  /** With its tools and tokens. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteMcpServer(@Path() id: Uuid): Promise<Deleted> {
    return this.services.mcpServers.deleteMcpServer({ id });
  }

  /** A new static bearer, which no other answer shows. The one before is refused everywhere from now on. */
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
