import {
  type Integration,
  type IntegrationList,
  type IntegrationSummaryList,
} from '@drawbridge/proto/drawbridge/catalog/v1/integrations';
import { Extension, Get, Query, Route, Tags } from '@tsoa/runtime';
import { Door } from './door.js';

@Route('api/v1/integrations')
@Tags('Integration catalog')
export class IntegrationsController extends Door {
  /**
   * Public. With `name` the one integration, with `summary` all without their actions and triggers.
   * @maxLength name 4000
   */
  @Get()
  @Extension('x-public', true)
  @Extension('x-fails', ['INTEGRATION_NOT_FOUND'])
  async listIntegrations(
    @Query() name?: string,
    @Query() summary?: boolean,
  ): Promise<IntegrationList | IntegrationSummaryList | { integration: Integration }> {
    const { integrations } = this.services;
    if (name !== undefined) return { integration: await integrations.getIntegration({ name }) };
    return summary ? integrations.listIntegrationSummaries({}) : integrations.listIntegrations({});
  }
}
