import { invalid, type Limits, type Plans } from '@drawbridge/contracts';
import { type Outbox } from '@drawbridge/events';
import { type PlanQuotas } from '@drawbridge/proto/drawbridge/members/v1/events';
import { recordOperator } from './audit/record-operator.js';
import { type Organization, type PrismaClient as Db } from './gen/prisma/client.js';
import { lockOrganization } from './lock-organization.js';

/**
 * Sets the plan of an organization; setting its current plan again applies changed limits. An event notifies the services, which reconcile their data
 * with the limits. Throws VALIDATION_ERROR for an unknown plan, and NOT_FOUND.
 */
export async function setPlan(
  { db, plans, outbox }: { db: Db; plans: Plans; outbox: Outbox },
  { orgId, plan }: { orgId: string; plan: string },
): Promise<Organization> {
  const limits = plans[plan];
  if (!limits) throw invalid({ plan: `must be one of ${Object.keys(plans).join(', ')}` });
  return db.$transaction(async (tx) => {
    const { plan: before } = await lockOrganization(tx, orgId);
    const data = { plan, planVersion: { increment: 1 } };
    const row = await tx.organization.update({ where: { id: orgId }, data });
    const payload = { $case: 'planChanged' as const, value: { version: row.planVersion, limits: quotasOf(limits) } };
    await outbox.add(tx, payload, row.id);
    await recordOperator(tx, {
      orgId: row.id,
      action: 'organization.set_plan',
      id: row.id,
      name: row.name,
      reason: `from ${before} to ${plan}`,
    });
    return row;
  });
}

function quotasOf({ workspaces, connections, mcpServers }: Limits): PlanQuotas {
  return {
    workspaces: workspaces ?? undefined,
    connections: connections ?? undefined,
    mcpServers: mcpServers ?? undefined,
  };
}
