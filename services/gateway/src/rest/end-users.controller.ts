import { invalid, toPatch } from '@drawbridge/contracts';
import { type EndUser, type EndUserConnection } from '@drawbridge/proto/drawbridge/connections/v1/end_user';
import {
  type CreateEndUserRequest,
  type DeletedEndUser,
  type EndUserChanges,
  type EndUserList,
  type ListEndUsersRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/end_users';
import {
  type PortalInvitation,
  type PortalLimits,
  type PortalToken,
} from '@drawbridge/proto/drawbridge/connections/v1/portal_links';
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
import { wordsOf } from '../pages/words/words-of.js';
import { ApiController } from './api-controller.js';

interface ShownEndUser {
  endUser: EndUser;
  /** The newest 100 connections of the end user, including suspended ones. */
  connections: EndUserConnection[];
}

interface PortalLink extends PortalToken {
  /** The URL of the portal, in which the end user lists and deletes connections. */
  connectUrl: string;
}

interface MailedPortalLink extends PortalLink {
  /** True if the email is queued. It is retried while the mail server is unavailable. */
  emailSent: boolean;
}

@Route('api/v1/end-users')
@Tags('End users')
export class EndUsersController extends ApiController {
  @Get()
  @Extension('x-fails', ['NOT_FOUND'])
  async listEndUsers(@Queries() query: ListEndUsersRequest): Promise<EndUserList> {
    return this.services.endUsers.listEndUsers(query);
  }

  /** Creates an end user. Creating a connection with an unknown end user id also creates the end user. */
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

  /** Updates the given fields of an end user. */
  @Patch('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { displayName: 'Ada King' })
  async updateEndUser(@Path() id: Uuid, @Body() body: EndUserChanges): Promise<{ endUser: EndUser }> {
    return { endUser: await this.services.endUsers.updateEndUser({ id, ...toPatch(body) }) };
  }

  /** Deletes an end user and all their connections of every scope. No call uses the connections within one second. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteEndUser(@Path() id: Uuid): Promise<DeletedEndUser> {
    return this.services.endUsers.deleteEndUser({ id });
  }

  /**
   * Creates a link to the portal, a page that lists and deletes the connections of the end user. Anyone with the link can use it. No other
   * response contains it. At most 100 links are active; a new link revokes the oldest.
   */
  @Post('{id}/connect-token')
  @Extension('x-fails', ['NOT_FOUND'])
  @Extension('x-example', { integrationName: 'github', expiresIn: 86_400 })
  async createPortalToken(
    @Request() request: HttpRequest,
    @Path() id: Uuid,
    @Body() body: PortalLimits,
  ): Promise<PortalLink> {
    const { expiresIn } = body;
    const integrationName = await this.integrationOf(id, body);
    return this.withUrl(request, await this.services.endUsers.createPortalToken({ id, integrationName, expiresIn }));
  }

  /** Creates a link to the portal and emails it to the end user, in English or German according to Accept-Language. */
  @Post('{id}/invite')
  @Extension('x-fails', ['NOT_FOUND', 'EMAIL_NOT_CONFIGURED'])
  @Extension('x-example', { email: 'ada@acme.example' })
  async inviteEndUser(
    @Request() request: HttpRequest,
    @Path() id: Uuid,
    @Body() body: PortalInvitation,
  ): Promise<MailedPortalLink> {
    const { email, expiresIn } = body;
    const [integrationName, { organization }] = await Promise.all([
      this.integrationOf(id, body),
      this.services.organizations.getOrganization({}),
    ]);
    const said = { organizationName: organization!.name, language: wordsOf(request).language };
    const made = await this.services.endUsers.inviteEndUser({ id, email, integrationName, expiresIn, ...said });
    return { ...this.withUrl(request, made), emailSent: true };
  }

  private withUrl(request: HttpRequest, made: PortalToken): PortalLink {
    return { ...made, connectUrl: this.site.address(request, `/connect/portal?token=${made.token}`) };
  }

  /** Returns the integration of a link. Only the catalog service stores which integration is configured under an id. */
  private async integrationOf(
    id: string,
    { integrationName, workspaceIntegrationId }: Pick<PortalLimits, 'integrationName' | 'workspaceIntegrationId'>,
  ): Promise<string | undefined> {
    if (workspaceIntegrationId === undefined) return integrationName;
    const { endUser } = await this.services.endUsers.getEndUser({ id });
    const { workspaceId } = endUser!;
    const found = await this.services.invocations.getInstance({ workspaceId, workspaceIntegrationId });
    if (integrationName === undefined || integrationName === found.integrationName) return found.integrationName;
    throw invalid({ integrationName: `workspaceIntegrationId belongs to ${found.integrationName}` });
  }
}
