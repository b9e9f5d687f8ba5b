import { type Limits, notFound, type Plans } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { limitsOf } from './plans.js';

type Organizations = Pick<Db, 'organization'>;

/** Returns the current limits of an organization's plan. Throws NOT_FOUND. */
async function planLimits(db: Organizations, plans: Plans, orgId: string): Promise<Limits> {
  return (await currentPlan(db, plans, orgId)).limits;
}

/** Returns the limits and the version of the plan from which they are. Throws NOT_FOUND. */
export async function currentPlan(
  db: Organizations,
  plans: Plans,
  orgId: string,
): Promise<{ limits: Limits; planVersion: number }> {
  const select = { plan: true, planVersion: true };
  const organization = await db.organization.findUnique({ where: { id: orgId }, select });
  if (!organization) throw notFound('Organization', orgId);
  return { limits: limitsOf(plans, organization.plan), planVersion: organization.planVersion };
}

/** Returns a function that reads how many workspaces the plan of the caller's organization allows. */
export function workspaceLimit(db: Organizations, plans: Plans): () => Promise<number | null> {
  return async () => (await planLimits(db, plans, caller().orgId)).workspaces;
}
