import {
  type CreateMcpServerRequest,
  type ListMcpServersRequest,
  type McpServer as StoredServer,
} from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import { type McpTool as StoredTool } from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Extension, Get, Path, Post, Queries, Request, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { type Site } from '../http/site.js';
import { ApiController } from './api-controller.js';

interface McpServer extends StoredServer {
  /** Where agents reach it. */
  mcpEndpoint: string;
}

interface McpServerList {
  servers: McpServer[];
  /** @isInt */
  total: number;
}

interface McpTool extends Omit<StoredTool, 'inputDefaultsJson'> {
  /** Beneath the input of whoever calls it. */
  inputDefaults: { [key: string]: unknown } | null;
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
  @Extension('x-fails', ['NOT_FOUND'])
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
    return { server: withEndpoint(this.site, request, server!), tools: tools.map(withDefaults) };
  }
}

function withEndpoint(site: Site, request: HttpRequest, server: StoredServer): McpServer {
  return { ...server, mcpEndpoint: site.address(request, `/mcp/srv_${server.id}`) };
}

function withDefaults({ inputDefaultsJson, ...tool }: StoredTool): McpTool {
  return { ...tool, inputDefaults: inputDefaultsJson === undefined ? null : JSON.parse(inputDefaultsJson) };
}
