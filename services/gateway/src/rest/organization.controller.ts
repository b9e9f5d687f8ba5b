import { type OrganizationOverview } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { Get, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

@Route('api/v1/organization')
@Tags('Organization')
export class OrganizationController extends ApiController {
  /** The key's own organization, what its plan allows and what it has used. */
  @Get()
  async getOrganization(): Promise<OrganizationOverview> {
    return this.services.organizations.getOrganization({});
  }
}
