import { toPatch } from '@drawbridge/contracts';
import { type ConnectionUsage } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { type McpServerUsage } from '@drawbridge/proto/drawbridge/mcp/v1/servers';
import {
  type Organization,
  type OrganizationChanges,
  type OrganizationLimits,
  type OrganizationUsage,
} from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { Body, Extension, Get, Patch, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

/** The usage as each service counts it, including suspended resources. */
interface PlanUsage extends OrganizationUsage, ConnectionUsage, McpServerUsage {}

interface OrganizationSummary {
  organization?: Organization;
  limits?: OrganizationLimits;
  usage: PlanUsage;
}

@Route('api/v1/organization')
@Tags('Organization')
export class OrganizationController extends ApiController {
  /** Returns the organization of the key, the limits of its plan and its usage. */
  @Get()
  async getOrganization(): Promise<OrganizationSummary> {
    const [{ usage, ...organization }, connections, servers] = await Promise.all([
      this.services.organizations.getOrganization({}),
      this.services.connections.getConnectionUsage({}),
      this.services.mcpServers.getMcpServerUsage({}),
    ]);
    return { ...organization, usage: { ...usage!, ...connections, ...servers } };
  }

  /** Updates how pages show the organization: its name, its logo and the colour of its buttons. */
  @Patch()
  @Extension('x-fails', ['NO_UPDATES'])
  @Extension('x-example', { name: 'Acme', color: '#0f766e' })
  async updateOrganization(@Body() body: OrganizationChanges): Promise<{ organization: Organization }> {
    return { organization: await this.services.organizations.updateOrganization(toPatch(body)) };
  }
}
