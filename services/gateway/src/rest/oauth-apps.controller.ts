import { toPatch } from '@drawbridge/contracts';
import {
  type CreateOAuthAppRequest,
  type ListOAuthAppsRequest,
  type OAuthApp,
  type OAuthAppChanges,
  type OAuthAppList,
} from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { type Deleted } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Body, Delete, Extension, Get, Patch, Path, Post, Queries, Route, SuccessResponse, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/oauth-apps')
@Tags('OAuth apps')
export class OAuthAppsController extends ApiController {
  /** The clients that the organization registered at providers. No answer here carries a secret. */
  @Get()
  async listOAuthApps(@Queries() query: ListOAuthAppsRequest): Promise<OAuthAppList> {
    return this.services.oauthApps.listOAuthApps(query);
  }

  /** The first of an organization, or a workspace, for an integration is its default: new connections use it. */
  @Post()
  @SuccessResponse(201)
  @Extension('x-fails', ['CUSTOM_OAUTH_APP_PLAN_REQUIRED', 'NOT_FOUND'])
  @Extension('x-example', {
    integrationName: 'github',
    clientId: 'Iv1.8a61f9b3a7aba766',
    clientSecret: '0123456789abcdef',
  })
  async createOAuthApp(@Body() body: CreateOAuthAppRequest): Promise<{ oauthApp: OAuthApp }> {
    return { oauthApp: await this.services.oauthApps.createOAuthApp(body) };
  }

  /** Connections that were made with it are refreshed with what it is now. */
  @Patch('{id}')
  @Extension('x-fails', ['CUSTOM_OAUTH_APP_PLAN_REQUIRED', 'NOT_FOUND'])
  @Extension('x-example', { clientSecret: 'fedcba9876543210' })
  async updateOAuthApp(@Path() id: Uuid, @Body() body: OAuthAppChanges): Promise<{ oauthApp: OAuthApp }> {
    return { oauthApp: await this.services.oauthApps.updateOAuthApp({ id, ...toPatch(body) }) };
  }

  /** Connections that were made with it work until their tokens end. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteOAuthApp(@Path() id: Uuid): Promise<Deleted> {
    return this.services.oauthApps.deleteOAuthApp({ id });
  }
}
