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
  /** Lists the OAuth apps that the organization registered at providers. The response contains no client secrets. */
  @Get()
  async listOAuthApps(@Queries() query: ListOAuthAppsRequest): Promise<OAuthAppList> {
    return this.services.oauthApps.listOAuthApps(query);
  }

  /** Creates an OAuth app. The first OAuth app of an organization or workspace for an integration is its default: new connections use it. */
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

  /** Updates an OAuth app. Existing connections are refreshed with the new values. */
  @Patch('{id}')
  @Extension('x-fails', ['CUSTOM_OAUTH_APP_PLAN_REQUIRED', 'NOT_FOUND'])
  @Extension('x-example', { clientSecret: 'fedcba9876543210' })
  async updateOAuthApp(@Path() id: Uuid, @Body() body: OAuthAppChanges): Promise<{ oauthApp: OAuthApp }> {
    return { oauthApp: await this.services.oauthApps.updateOAuthApp({ id, ...toPatch(body) }) };
  }

  /** Deletes an OAuth app. Its connections work until their tokens expire. */
  @Delete('{id}')
  @Extension('x-fails', ['NOT_FOUND'])
  async deleteOAuthApp(@Path() id: Uuid): Promise<Deleted> {
    return this.services.oauthApps.deleteOAuthApp({ id });
  }
}
