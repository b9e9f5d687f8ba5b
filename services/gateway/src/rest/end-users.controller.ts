import { toPatch } from '@drawbridge/contracts';
import {
  type CreateEndUserRequest,
  type DeletedEndUser,
  type EndUser,
  type EndUserChanges,
  type EndUserConnection,
  type EndUserList,
  type ListEndUsersRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface ShownEndUser {
  endUser: EndUser;
  /** The newest 100, suspended ones too. */
  connections: EndUserConnection[];
}

@Route('api/v1/end-users')
@Tags('End users')
export class EndUsersController extends ApiController {
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listEndUsers(@Queries() query: ListEndUsersRequest): Promise<EndUserList> {
    return this.services.endUsers.listEndUsers(query);
  }

  /** Also made by the first connection that names them. */
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  @Extension('x-example', {
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    externalId: 'user-42',
    displayName: 'Ada Lovelace',
    email: 'ada@acme.example',
    metadata: { team: 'Engines' },
  })
  async createEndUser(@Body() body: CreateEndUserRequest): Promise<{ endUser: EndUser }> {
    return { endUser: await this.services.endUsers.createEndUser(body) };
  }

  @Get('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getEndUser(@Path() id: Uuid): Promise<ShownEndUser> {
    const { endUser, connections } = await this.services.endUsers.getEndUser({ id });
    return { endUser: endUser!, connections };
  }

  /** Changes the keys that are given. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { displayName: 'Ada King' })
  async updateEndUser(@Path() id: Uuid, @Body() body: EndUserChanges): Promise<{ endUser: EndUser }> {
    return { endUser: await this.services.endUsers.updateEndUser({ id, ...toPatch(body) }) };
  }

  /** With all their connections, whatever the scope: nothing uses them any more, within a second. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteEndUser(@Path() id: Uuid): Promise<DeletedEndUser> {
    return this.services.endUsers.deleteEndUser({ id });
  }
}
