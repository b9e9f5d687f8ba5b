import { type ConnectionScope, type ConnectionType } from '@drawbridge/contracts';
import {
  type Connection,
  type ConnectionList,
  type ConnectionSelector,
  type ListConnectionsRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type CreateConnectionRequest } from '@drawbridge/proto/drawbridge/connections/v1/credentials';
import { type CreateReconnectTokenRequest } from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
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
import { type ConnectLink } from './connect.controller.js';

interface ListConnectionsQuery extends ListConnectionsRequest {
  /** Returns only the connection with this id. */
  id?: Uuid;
}

interface CreateConnectionBody extends CreateConnectionRequest {
  type: ConnectionType;
  scope?: ConnectionScope;
}

interface ReconnectBody extends Omit<CreateReconnectTokenRequest, 'id'> {}

@Route('api/v1/connections')
@Tags('Connections')
export class ConnectionsController extends ApiController {
  /** Lists connections, or returns the connection with `id`. The response contains no credentials. */
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listConnections(@Queries() query: ListConnectionsQuery): Promise<ConnectionList | { connection: Connection }> {
    const { id, ...page } = query;
    if (id === undefined) return this.services.connections.listConnections(page);
    return { connection: await this.services.connections.getConnection({ id }) };
  }

  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['NOT_FOUND', 'QUOTA_EXCEEDED', 'DUPLICATE'])
  @Extension('x-example', {
    type: 'SECRET_TEXT',
    secretText: 'ghp_0123456789',
    integrationName: 'github',
    externalId: 'github-of-acme',
    displayName: "Acme's GitHub",
  })
  async createConnection(@Body() body: CreateConnectionBody): Promise<{ connection: Connection }> {
    return { connection: await this.services.connections.createConnection(body) };
  }

  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteConnection(@Path() id: Uuid): Promise<Deleted> {
    return this.services.connections.deleteConnection({ id });
  }

  /** Suspends a connection: no call uses it until it is resumed. It can be read and deleted, and is listed with `includeSuspended`. */
  @Post('{id}/suspend')
  @Extension('x-fails', ['NOT_FOUND'])
  async suspendConnection(@Path() id: Uuid): Promise<{ connection: Connection }> {
    return { connection: await this.services.connections.suspendConnection({ id }) };
  }

  @Post('{id}/resume')
  @Extension('x-fails', ['QUOTA_EXCEEDED', 'NOT_FOUND'])
  async resumeConnection(@Path() id: Uuid): Promise<{ connection: Connection }> {
    return { connection: await this.services.connections.resumeConnection({ id }) };
  }

  /** Creates a link to a page on which a user connects the same account again. The connection keeps its id and becomes ACTIVE. */
  @Post('{id}/reconnect')
  @Extension('x-fails', [
    'NOT_FOUND',
    'NO_OAUTH_APP',
    'OAUTH_APP_NOT_FOUND',
    'CUSTOM_OAUTH_APP_PLAN_REQUIRED',
    'TENANT_OAUTH_APP_REQUIRED',
  ])
  @Extension('x-example', { workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37' })
  async createReconnectToken(
    @Request() request: HttpRequest,
    @Path() id: Uuid,
    @Body() body: ReconnectBody,
  ): Promise<ConnectLink> {
    const made = await this.services.connectSessions.createReconnectToken({ id, ...body });
    return { ...made, connectUrl: this.site.address(request, `/connect?token=${made.token}`) };
  }

  /** Returns the connection that a call for this integration, workspace and end user would use. */
  @Post('resolve')
  @Extension('x-fails', ['NOT_FOUND', 'CONNECTION_NOT_FOUND'])
  @Extension('x-example', { integrationName: 'github', workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37' })
  async resolveConnection(@Body() body: ConnectionSelector): Promise<{ connection: Connection }> {
    const { instance } = await this.services.invocations.getDefaultInstance(body);
    const { connectionStrategy, connectionId } = instance ?? {};
    const request = { ...body, connectionStrategy, connectionId };
    return { connection: await this.services.connections.resolveConnection(request) };
  }
}
