import { type ConnectionScope } from '@drawbridge/contracts';
import {
  type ConnectOutcome,
  type ConnectSession,
  type ConnectToken,
  type CreateConnectTokenRequest,
  type PollConnectSessionRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/connect_sessions';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Extension, Get, Path, Post, Request, Route, Tags } from '@tsoa/runtime';
import { type Request as HttpRequest } from 'express';
import { ApiController } from './api-controller.js';

interface CreateConnectTokenBody extends CreateConnectTokenRequest {
  scope?: ConnectionScope;
}

export interface ConnectLink extends ConnectToken {
  /** The URL of the connect page. Open it in a popup or redirect the browser to it. */
  connectUrl: string;
}

@Route('api/v1/connect')
@Tags('Connect flow')
export class ConnectController extends ApiController {
  /** Creates a link to a page on which a user connects an account. The link is valid for 4 hours. No other response contains the token. */
  @Post('token')
  @Extension('x-fails', [
    'NOT_FOUND',
    'INTEGRATION_NOT_FOUND',
    'NO_OAUTH_APP',
    'OAUTH_APP_NOT_FOUND',
    'CUSTOM_OAUTH_APP_PLAN_REQUIRED',
    'TENANT_OAUTH_APP_REQUIRED',
  ])
  @Extension('x-example', {
    integrationName: 'github',
    connectionName: "Ann's GitHub",
    externalId: 'github-of-ann',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
  })
  async createConnectToken(
    @Request() request: HttpRequest,
    @Body() body: CreateConnectTokenBody,
  ): Promise<ConnectLink> {
    const made = await this.services.connectSessions.createConnectToken(body);
    return { ...made, connectUrl: this.site.address(request, `/connect?token=${made.token}`) };
  }

  /** Returns the state of a connect session. A session of another organization fails with FORBIDDEN. */
  @Get('session/{sessionId}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getConnectSession(@Path() sessionId: Uuid): Promise<{ session: ConnectSession }> {
    return { session: await this.services.connectSessions.getConnectSession({ sessionId }) };
  }

  /** Returns the state of the connect session of a token. Public, because the token identifies the session until it expires. */
  @Post('session/poll')
  @Extension('x-public', true)
  @Extension('x-fails', ['MISSING_TOKEN', 'INVALID_TOKEN'])
  @Extension('x-example', { token: 'cst_0000000000000000000000000000000000000000000000' })
  async pollConnectSession(@Body() body: PollConnectSessionRequest): Promise<ConnectOutcome> {
    return this.services.connectSessions.pollConnectSession(body);
  }
}
