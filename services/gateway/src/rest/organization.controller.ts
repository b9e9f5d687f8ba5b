import { type ConnectionUsage } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import {
  type Organization,
  type OrganizationLimits,
  type OrganizationUsage,
} from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { Get, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

/** What is used, suspended or not, as each service counts its own. */
interface PlanUsage extends OrganizationUsage, ConnectionUsage {}

interface OrganizationSummary {
  organization?: Organization;
  limits?: OrganizationLimits;
  usage: PlanUsage;
}

@Route('api/v1/organization')
@Tags('Organization')
export class OrganizationController extends ApiController {
  /** The key's own organization, what its plan allows and what it has used. */
  @Get()
  async getOrganization(): Promise<OrganizationSummary> {
    const [{ usage, ...organization }, connections] = await Promise.all([
      this.services.organizations.getOrganization({}),
      this.services.connections.getConnectionUsage({}),
    ]);
    return { ...organization, usage: { ...usage!, ...connections } };
  }
}
