import { masked, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import {
  type Brand,
  type Organization,
  OrganizationChangesNullable,
  type OrganizationServiceDefinition,
  type UpdateOrganizationRequest,
} from '@drawbridge/proto/drawbridge/members/v1/organizations';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { requireLogo } from './logo.js';
import { lockOrganization } from './membership.js';
import { currentPlan, limitsOf } from './plans.js';
import { startOfMonth } from './usage.js';
import { type Parts } from './parts.js';

export const organizations = (parts: Parts): Implementation<OrganizationServiceDefinition> => ({
  async getOrganization() {
    const { db, plans } = parts;
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
      usage: {
        workspaces: rowsOf('workspaces'),
        members: rowsOf('members'),
        actionsThisMonth: usage?.actions ?? 0,
        sandboxRunsThisMonth: usage?.sandboxRuns ?? 0,
      },
    };
  },

  updateOrganization: (patch) => updateOrganization(parts, patch),

  getBrand: ({ orgId }) => brandOf(parts.db, orgId),

  async getLimits({ orgId }) {
    const { limits, planVersion } = await currentPlan(parts.db, parts.plans, orgId);
    return { limits: toWire(limits), planVersion };
  },
});

/** Updates the organization. Throws NO_UPDATES, and VALIDATION_ERROR for an invalid logo. */
async function updateOrganization({ db, outbox }: Parts, patch: UpdateOrganizationRequest): Promise<Organization> {
  const { name, ...look } = masked(patch, OrganizationChangesNullable);
  if (look.logo) requireLogo(look.logo);
  const brand = look.color ? { ...look, color: look.color.toLowerCase() } : look;
  const { orgId } = caller();
  return db.$transaction(async (tx) => {
    await lockOrganization(tx, orgId);
    const row = await tx.organization.update({ where: { id: orgId }, data: { name, updatedAt: new Date() } });
    const shown = await tx.brand.upsert({ where: { orgId }, create: { orgId, ...brand }, update: brand });
    await outbox.record(tx, { id: orgId, name: row.name });
    return { ...toWire(row), logo: shown.logo ?? undefined, color: shown.color ?? undefined };
  });
}

/** Returns the name, logo and color of an organization, which its pages display. */
export async function brandOf(db: Pick<Db, 'brand' | 'organization'>, orgId: string): Promise<Brand> {
  const [organization, brand] = await Promise.all([
    db.organization.findUnique({ where: { id: orgId }, select: { name: true } }),
    db.brand.findUnique({ where: { orgId } }),
  ]);
  return { name: organization?.name ?? '', logo: brand?.logo ?? undefined, color: brand?.color ?? undefined };
}
