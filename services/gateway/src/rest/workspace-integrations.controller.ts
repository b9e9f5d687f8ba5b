import { type ConnectionStrategy, toPatch } from '@drawbridge/contracts';
import {
  type NewWorkspaceIntegration,
  type WorkspaceIntegration as Message,
  type WorkspaceIntegrationChanges,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';
import { textOf } from './json-text.js';

interface CreateWorkspaceIntegrationBody extends NewWorkspaceIntegration {
  connectionStrategy?: ConnectionStrategy;
}

/** An integration that is configured in a workspace. */
interface WorkspaceIntegration extends Omit<Message, 'settingsJson'> {
  /** Settings of the workspace owner. They are not action input, and callers cannot override them. */
  settings: { [key: string]: unknown };
}

interface WorkspaceIntegrationList {
  integrations: WorkspaceIntegration[];
  /** @isInt */
  total: number;
}

interface UpdateWorkspaceIntegrationBody extends WorkspaceIntegrationChanges {
  connectionStrategy?: ConnectionStrategy;
}

@Route('api/v1/workspaces/{workspaceId}/integrations')
@Tags('Workspace integrations')
export class WorkspaceIntegrationsController extends ApiController {
  /** Lists the configured integrations of a workspace by `sortOrder`, then oldest first. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listWorkspaceIntegrations(@Path() workspaceId: Uuid): Promise<WorkspaceIntegrationList> {
    const { integrations, total } = await this.services.workspaceIntegrations.listWorkspaceIntegrations({
      workspaceId,
    });
    return this.text(`{"integrations":[${integrations.map(toText).join(',')}],"total":${total}}`);
  }

  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE', 'MCP_BEARER_BLOCKS_PER_USER'])
  @Extension('x-example', { integrationName: 'github', alias: 'github', displayName: 'GitHub' })
  async createWorkspaceIntegration(
    @Path() workspaceId: Uuid,
    @Body() body: CreateWorkspaceIntegrationBody,
  ): Promise<{ integration: WorkspaceIntegration }> {
    const request = { workspaceId, integration: body };
    return { integration: withSettings(await this.services.workspaceIntegrations.createWorkspaceIntegration(request)) };
  }

  /** Updates the specified fields of a configured integration. */
  @Patch('{id}')
  @Extension('x-fails', ['NO_UPDATES', 'NOT_FOUND', 'DUPLICATE', 'MCP_BEARER_BLOCKS_PER_USER'])
  @Extension('x-example', { enabledActions: ['create_issue'] })
  async updateWorkspaceIntegration(
    @Path() workspaceId: Uuid,
    @Path() id: Uuid,
    @Body() body: UpdateWorkspaceIntegrationBody,
  ): Promise<{ integration: WorkspaceIntegration }> {
    const request = { workspaceId, id, ...toPatch(body) };
    return { integration: withSettings(await this.services.workspaceIntegrations.updateWorkspaceIntegration(request)) };
  }

  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteWorkspaceIntegration(@Path() workspaceId: Uuid, @Path() id: Uuid): Promise<Deleted> {
    return this.services.workspaceIntegrations.deleteWorkspaceIntegration({ workspaceId, id });
  }
}

function withSettings({ settingsJson, ...message }: Message): WorkspaceIntegration {
  return { ...message, settings: JSON.parse(settingsJson) };
}

function toText({ settingsJson: settings, ...message }: Message): string {
  return textOf(message, { settings });
}
