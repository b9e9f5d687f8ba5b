import { toPatch } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type McpTool as StoredTool,
  type McpToolChanges,
  type NewMcpTool,
} from '@drawbridge/proto/drawbridge/mcp/v1/tools';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Patch, Path, Post, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/mcp/servers/{id}/tools')
@Tags('MCP servers')
export class McpToolsController extends ApiController {
  /**
   * Adds a tool to the actions that the server offers, or replaces the tool with the same alias and name. Actions that the workspace does
   * not enable are not offered.
   */
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE', 'ALIAS_CONFLICT'])
  @Extension('x-example', {
    integrationName: 'github',
    actionName: 'create_issue',
    displayName: 'Report a bug',
    inputDefaults: { repo: 'acme/app' },
  })
  async addMcpTool(@Path() id: Uuid, @Body() body: NewMcpTool): Promise<{ tool: McpTool }> {
    return { tool: shownTool(await this.services.mcpTools.addMcpTool({ serverId: id, tool: body })) };
  }

  /** Updates the specified fields of a tool. */
  @Patch('{toolId}')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE', 'ALIAS_CONFLICT'])
  @Extension('x-example', { description: 'For bugs alone', partialIds: [] })
  async updateMcpTool(
    @Path() id: Uuid,
    @Path() toolId: Uuid,
    @Body() body: McpToolChanges,
  ): Promise<{ tool: McpTool }> {
    const request = { serverId: id, id: toolId, ...toPatch(body) };
    return { tool: shownTool(await this.services.mcpTools.updateMcpTool(request)) };
  }

  @Delete('{toolId}')
  @Extension('x-fails', ['NOT_FOUND'])
  async removeMcpTool(@Path() id: Uuid, @Path() toolId: Uuid): Promise<Deleted> {
    return this.services.mcpTools.removeMcpTool({ serverId: id, id: toolId });
  }
}

export interface McpTool extends Omit<StoredTool, 'inputDefaultsJson'> {
  /** Default input, which the input of the caller overrides. */
  inputDefaults: { [key: string]: unknown } | null;
}

export function shownTool({ inputDefaultsJson, ...tool }: StoredTool): McpTool {
  return { ...tool, inputDefaults: inputDefaultsJson === undefined ? null : JSON.parse(inputDefaultsJson) };
}
