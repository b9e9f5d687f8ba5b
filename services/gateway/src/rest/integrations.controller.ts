import {
  type GetIntegrationRequest,
  type Integration,
  type IntegrationList,
  type IntegrationSummaryList,
} from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { type OAuthStatus } from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { Extension, Get, Queries, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface ListIntegrationsQuery extends Partial<GetIntegrationRequest> {
  summary?: boolean;
}

@Route('api/v1/integrations')
@Tags('Integration catalog')
export class IntegrationsController extends ApiController {
  /** Public. With `name` the one integration, with `summary` all without their actions and triggers. */
  @Get()
  @Extension('x-public', true)
  @Extension('x-fails', ['INTEGRATION_NOT_FOUND'])
  async listIntegrations(
    @Queries() query: ListIntegrationsQuery,
  ): Promise<IntegrationList | IntegrationSummaryList | { integration: Integration }> {
    const { name, summary } = query;
    const { integrations } = this.services;
    if (name !== undefined) return { integration: await integrations.getIntegration({ name }) };
    return summary ? integrations.listIntegrationSummaries({}) : integrations.listIntegrations({});
  }

  /** The integrations that can be connected with OAuth: the operator has an app for them, or the organization its own. */
  @Get('oauth-status')
  async getOAuthStatus(): Promise<OAuthStatus> {
    return this.services.oauthApps.getOAuthStatus({});
  }
}
