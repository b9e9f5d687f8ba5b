import { type Limits, notFound, type Plans } from '@drawbridge/contracts';
import { caller } from '@drawbridge/rpc';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { limitsOf } from './plans.js';

/** What the plan of an organization allows, as it stands now. Throws NOT_FOUND. */
export async function planLimits(db: Pick<Db, 'organization'>, plans: Plans, orgId: string): Promise<Limits> {
  const organization = await db.organization.findUnique({ where: { id: orgId }, select: { plan: true } });
  if (!organization) throw notFound('Organization', orgId);
  return limitsOf(plans, organization.plan);
}

/** How many workspaces the plan of the caller's organization allows, when it is asked. */
export function workspaceLimit(db: Pick<Db, 'organization'>, plans: Plans): () => Promise<number | null> {
  return async () => (await planLimits(db, plans, caller().orgId)).workspaces;
}
