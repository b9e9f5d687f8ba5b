import { newId, type Plans } from '@drawbridge/contracts';
import { type ActionLeaseServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type PrismaClient as Db } from './gen/prisma/client.js';
import { currentPlan } from './plan-limits.js';

const LEASE = {
  name: 'lease-actions',
  text: `SELECT lease_id AS "leaseId", granted, used FROM members.lease_actions($1, $2, $3, $4, $5)`,
};

// Locked in the same order as by countActions(), so that the two cannot deadlock.
const GIVE_BACK = `
  WITH unused AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS unused (id, org_id, actions)),
  held AS MATERIALIZED (
    SELECT lease.id FROM members.action_leases lease JOIN unused ON unused.id = lease.id AND unused.org_id = lease.org_id
    ORDER BY lease.org_id, lease.id FOR UPDATE OF lease)
  UPDATE members.action_leases SET held = greatest(0, action_leases.held - unused.actions)
  FROM held JOIN unused ON unused.id = held.id
  WHERE action_leases.id = held.id AND action_leases.org_id = unused.org_id`;

interface Leased {
  leaseId: string | null;
  granted: number;
  used: number;
}

export const actionLeases = (db: Db, pool: Pool, plans: Plans): Implementation<ActionLeaseServiceDefinition> => ({
  async leaseActions({ leaseId, wanted }) {
    const { orgId } = caller();
    const { limits, planVersion } = await currentPlan(db, plans, orgId);
    const limit = limits.actionsPerMonth;
    if (limit === null) return { used: 0, actions: 0, planVersion };
    const { rows } = await pool.query<Leased>({ ...LEASE, values: [orgId, leaseId ?? null, newId(), wanted, limit] });
    const { granted, used, leaseId: own } = rows[0]!;
    return { limit, used, actions: granted, leaseId: own ?? undefined, planVersion };
  },

  async returnActions({ unused }) {
    const columns = [
      unused.map((one) => one.leaseId),
      unused.map((one) => one.orgId),
      unused.map((one) => one.actions),
    ];
    await pool.query(GIVE_BACK, columns);
    return {};
  },
});
