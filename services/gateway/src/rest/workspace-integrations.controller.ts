import { type ConnectionStrategy } from '@drawbridge/contracts';
import {
  type DeletedWorkspaceIntegration,
  type NewWorkspaceIntegration,
  type WorkspaceIntegration,
  type WorkspaceIntegrationChanges,
  type WorkspaceIntegrationList,
} from '@drawbridge/proto/drawbridge/catalog/v1/workspace_integrations';
import { Body, Delete, Get, Patch, Path, Post, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { Door } from './door.js';
import { type Uuid } from './uuid.js';

interface CreateWorkspaceIntegrationBody extends NewWorkspaceIntegration {
  connectionStrategy?: ConnectionStrategy;
}

type Nullable = 'connectionStrategy' | 'displayName' | 'enabledActions' | 'settings';

interface UpdateWorkspaceIntegrationBody extends Omit<WorkspaceIntegrationChanges, Nullable> {
  connectionStrategy?: ConnectionStrategy;
  /**
   * null removes it.
   * @maxLength 200
   */
  displayName?: string | null;
  /** null: all actions. */
  enabledActions?: string[] | null;
  /** null: the defaults. */
  settings?: { [key: string]: unknown } | null;
}

@Route('api/v1/workspaces/{workspaceId}/integrations')
@Tags('Workspace integrations')
export class WorkspaceIntegrationsController extends Door {
  /** By sortOrder, then oldest first. */
  @Get()
  async listWorkspaceIntegrations(@Path() workspaceId: Uuid): Promise<WorkspaceIntegrationList> {
    return this.services.workspaceIntegrations.listWorkspaceIntegrations({ workspaceId });
  }

  @Post()
  @SuccessResponse(201)
  async createWorkspaceIntegration(
    @Path() workspaceId: Uuid,
    @Body() body: CreateWorkspaceIntegrationBody,
  ): Promise<{ integration: WorkspaceIntegration }> {
    const request = { workspaceId, integration: body };
    return { integration: await this.services.workspaceIntegrations.createWorkspaceIntegration(request) };
  }

  /** Changes the keys that are given. */
  @Patch('{id}')
  async updateWorkspaceIntegration(
    @Path() workspaceId: Uuid,
    @Path() id: Uuid,
    @Body() body: UpdateWorkspaceIntegrationBody,
  ): Promise<{ integration: WorkspaceIntegration }> {
    const changes = withoutNulls(body);
    const request = { workspaceId, id, changes, updateMask: Object.keys(body) };
    return { integration: await this.services.workspaceIntegrations.updateWorkspaceIntegration(request) };
  }

  @Delete('{id}')
  async deleteWorkspaceIntegration(@Path() workspaceId: Uuid, @Path() id: Uuid): Promise<DeletedWorkspaceIntegration> {
    return this.services.workspaceIntegrations.deleteWorkspaceIntegration({ workspaceId, id });
  }
}

/** The mask names a key that was null; the message lacks it: together they mean "reset". */
function withoutNulls(body: UpdateWorkspaceIntegrationBody): WorkspaceIntegrationChanges {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}
