import { notFound, type Plans } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { type OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { brandOf } from './branding/brand-of.js';
import { updateOrganization } from './branding/update-organization.js';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { currentPlan } from './plan-limits.js';
import { limitsOf } from './plans.js';
import { startOfMonth } from './usage.js';

export const organizations = (db: Db, outbox: Outbox, plans: Plans): Implementation<OrganizationServiceDefinition> => ({
  async getOrganization() {
    const { orgId } = caller();
    const [organization, brand, totals, usage] = await Promise.all([
      db.organization.findUnique({ where: { id: orgId } }),
      db.brand.findUnique({ where: { orgId } }),
      db.total.findMany({ where: { orgId } }),
      db.actionUsage.findUnique({ where: { orgId_month: { orgId, month: startOfMonth(new Date()) } } }),
    ]);
    if (!organization) throw notFound('Organization', orgId);
    const rowsOf = (table: string): number => totals.find((total) => total.of === table)?.rows ?? 0;
    return {
      organization: { ...toWire(organization), logo: brand?.logo ?? undefined, color: brand?.color ?? undefined },
      limits: toWire(limitsOf(plans, organization.plan)),
      usage: { workspaces: rowsOf('workspaces'), members: rowsOf('members'), actionsThisMonth: usage?.actions ?? 0 },
    };
  },

  updateOrganization: (patch) => updateOrganization({ db, outbox }, patch),

  getBrand: ({ orgId }) => brandOf(db, orgId),

  async getLimits({ orgId }) {
    const { limits, planVersion } = await currentPlan(db, plans, orgId);
    return { limits: toWire(limits), planVersion };
  },
});
