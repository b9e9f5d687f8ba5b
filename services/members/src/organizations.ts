import { notFound, type Plans } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { type OrganizationServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { currentPlan } from './plan-limits.js';
import { limitsOf } from './plans.js';
import { startOfMonth } from './usage.js';

export const organizations = (db: Db, plans: Plans): Implementation<OrganizationServiceDefinition> => ({
  async getOrganization() {
    const { orgId } = caller();
    const [organization, totals, usage] = await Promise.all([
      db.organization.findUnique({ where: { id: orgId } }),
      db.total.findMany({ where: { orgId } }),
      db.actionUsage.findUnique({ where: { orgId_month: { orgId, month: startOfMonth(new Date()) } } }),
    ]);
    if (!organization) throw notFound('Organization', orgId);
    const rowsOf = (table: string): number => totals.find((total) => total.of === table)?.rows ?? 0;
    return {
      organization: toWire(organization),
      limits: toWire(limitsOf(plans, organization.plan)),
      usage: { workspaces: rowsOf('workspaces'), members: rowsOf('members'), actionsThisMonth: usage?.actions ?? 0 },
    };
  },

  async getLimits() {
    const { limits, planVersion } = await currentPlan(db, plans, caller().orgId);
    return { limits: toWire(limits), planVersion };
  },
});
