import { type InvitedRole } from '@drawbridge/contracts';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type CreateWorkspaceMemberRequest,
  type WorkspaceMember,
} from '@drawbridge/proto/drawbridge/members/v1/workspace_members';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Path, Post, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface CreateWorkspaceMemberBody extends CreateWorkspaceMemberRequest {
  role?: InvitedRole;
}

@Route('api/v1/workspace-members')
@Tags('Members')
export class WorkspaceMembersController extends ApiController {
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', {
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    memberId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c38',
  })
  async createWorkspaceMember(@Body() body: CreateWorkspaceMemberBody): Promise<{ projectMember: WorkspaceMember }> {
    return { projectMember: await this.services.workspaceMembers.createWorkspaceMember(body) };
  }

  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteWorkspaceMember(@Path() id: Uuid): Promise<Deleted> {
    return this.services.workspaceMembers.deleteWorkspaceMember({ id });
  }
}
