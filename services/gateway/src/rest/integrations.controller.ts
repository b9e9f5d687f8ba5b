import {
  type GetIntegrationRequest,
  type Integration,
  type IntegrationList,
  type IntegrationSummaryList,
} from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { type OAuthStatus } from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import {
  type PropertyOptions,
  type ResolvedProperties,
  type ResolveOptionsRequest,
  type ResolvePropertiesRequest,
} from '@drawbridge/proto/drawbridge/execution/v1/properties';
import { type IntegrationName } from '@drawbridge/proto/integration-name';
import { Body, Extension, Get, Path, Post, Queries, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';
import { LOOKUP } from '../clients.js';

interface ListIntegrationsQuery extends Partial<GetIntegrationRequest> {
  summary?: boolean;
}

interface ResolveOptionsBody extends Omit<ResolveOptionsRequest, 'integrationName'> {}

interface ResolvePropertiesBody extends Omit<ResolvePropertiesRequest, 'integrationName'> {}

@Route('api/v1/integrations')
@Tags('Integration catalog')
export class IntegrationsController extends ApiController {
  /** Lists integrations, or returns the integration with `name`. With `summary` the response omits actions and triggers. Public. */
  @Get()
  @Extension('x-public', true)
  @Extension('x-same-for-all', true)
  @Extension('x-fails', ['INTEGRATION_NOT_FOUND'])
  async listIntegrations(
    @Queries() query: ListIntegrationsQuery,
  ): Promise<IntegrationList | IntegrationSummaryList | { integration: Integration }> {
    const { name, summary } = query;
    const { integrations } = this.services;
    if (name !== undefined) return { integration: await integrations.getIntegration({ name }) };
    return summary ? integrations.listIntegrationSummaries({}) : integrations.listIntegrations({});
  }

  /** Lists the integrations that can be connected with OAuth, because the operator or the organization has an OAuth app for them. */
  @Get('oauth-status')
  async getOAuthStatus(): Promise<OAuthStatus> {
    return this.services.oauthApps.getOAuthStatus({});
  }

  /**
   * Returns the options of a select property for a form. Options that only the provider has are requested from it, with the connection that the
   * action would use.
   */
  @Post('{integrationName}/properties/options')
  @Extension('x-takes-long', true)
  @Extension('x-fails', [
    'INTEGRATION_NOT_FOUND',
    'NOT_FOUND',
    'CONNECTION_REQUIRED',
    '400 CONNECTION_NOT_FOUND',
    'NOT_DROPDOWN',
    'NO_OPTIONS_FN',
    'OPTIONS_FAILED',
  ])
  @Extension('x-example', {
    actionName: 'create_issue',
    propertyName: 'labels',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    input: { repo: 'octocat/hello-world' },
    searchValue: 'bug',
  })
  async resolveOptions(
    @Path() integrationName: IntegrationName,
    @Body() body: ResolveOptionsBody,
  ): Promise<PropertyOptions> {
    return this.services.properties.resolveOptions({ integrationName, ...body }, LOOKUP);
  }

  /** Returns the properties of a dynamic property for the input of the form. */
  @Post('{integrationName}/properties/resolve')
  @Extension('x-takes-long', true)
  @Extension('x-fails', [
    'INTEGRATION_NOT_FOUND',
    'NOT_FOUND',
    'CONNECTION_REQUIRED',
    '400 CONNECTION_NOT_FOUND',
    'NOT_DYNAMIC',
    'NO_PROPS_FN',
    'RESOLVE_FAILED',
  ])
  @Extension('x-example', {
    actionName: 'add_row',
    propertyName: 'values',
    workspaceId: '01926b3c-5a2e-7c41-9d0f-2b6a4f1e8c37',
    input: { table: 'People' },
  })
  async resolveProperties(
    @Path() integrationName: IntegrationName,
    @Body() body: ResolvePropertiesBody,
  ): Promise<ResolvedProperties> {
    return this.services.properties.resolveProperties({ integrationName, ...body }, LOOKUP);
  }
}
