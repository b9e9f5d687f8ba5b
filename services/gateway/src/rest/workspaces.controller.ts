import { toPatch } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type CreateWorkspaceRequest,
  type ListWorkspacesRequest,
  type Workspace,
  type WorkspaceChanges,
  type WorkspaceList,
} from '@drawbridge/proto/drawbridge/members/v1/workspaces';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/workspaces')
@Tags('Workspaces')
export class WorkspacesController extends ApiController {
  @Get()
  async listWorkspaces(@Queries() query: ListWorkspacesRequest): Promise<WorkspaceList> {
    return this.services.workspaces.listWorkspaces(query);
  }

  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['QUOTA_EXCEEDED', 'DUPLICATE'])
  @Extension('x-example', { name: 'Support', slug: 'support' })
  async createWorkspace(@Body() body: CreateWorkspaceRequest): Promise<{ workspace: Workspace }> {
    return { workspace: await this.services.workspaces.createWorkspace(body) };
  }

  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getWorkspace(@Path() id: Uuid): Promise<{ workspace: Workspace }> {
    return { workspace: await this.services.workspaces.getWorkspace({ id }) };
  }

  @Patch('{id}')
  @Extension('x-fails', ['NO_UPDATES', 'NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', { name: 'Customer support' })
  async updateWorkspace(@Path() id: Uuid, @Body() body: WorkspaceChanges): Promise<{ workspace: Workspace }> {
    return { workspace: await this.services.workspaces.updateWorkspace({ id, ...toPatch(body) }) };
  }

  /** Suspends a workspace: calls in it are rejected until it is resumed. It can be read and deleted, and is listed with `includeSuspended`. */
  @Post('{id}/suspend')
  @Extension('x-fails', ['NOT_FOUND'])
  async suspendWorkspace(@Path() id: Uuid): Promise<{ workspace: Workspace }> {
    return { workspace: await this.services.workspaces.suspendWorkspace({ id }) };
  }

  @Post('{id}/resume')
  @Extension('x-fails', ['QUOTA_EXCEEDED', 'NOT_FOUND'])
  async resumeWorkspace(@Path() id: Uuid): Promise<{ workspace: Workspace }> {
    return { workspace: await this.services.workspaces.resumeWorkspace({ id }) };
  }

  /** Deletes a workspace and everything in it. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteWorkspace(@Path() id: Uuid): Promise<Deleted> {
    return this.services.workspaces.deleteWorkspace({ id });
  }
}
