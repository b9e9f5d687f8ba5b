import { newId } from '@drawbridge/contracts';
import { type EventOf } from '@drawbridge/events';
import { type ActionLeaseServiceDefinition } from '@drawbridge/proto/drawbridge/members/v1/action_leases';
import { caller, type Implementation } from '@drawbridge/rpc';
import { type PoolClient } from 'pg';
import { currentPlan } from './plans.js';
import { type Parts } from './parts.js';

const LEASE = {
  name: 'lease-quota',
  text: `SELECT lease_id AS "leaseId", granted, used FROM members.lease_quota($1, $2, $3, $4, $5, $6)`,
};

export const actionLeases = ({ db, pool, plans }: Parts): Implementation<ActionLeaseServiceDefinition> => ({
  async leaseActions({ leaseId, wanted, sandboxRuns }) {
    const { orgId } = caller();
    const { limits, planVersion } = await currentPlan(db, plans, orgId);
    const [limit, quota] = sandboxRuns
      ? [limits.sandboxRunsPerMonth, 'sandbox_runs']
      : [limits.actionsPerMonth, 'actions'];
    if (limit === null) return { used: 0, actions: 0, planVersion };
    const values = [orgId, leaseId ?? null, newId(), wanted, limit, quota];
    const { rows } = await pool.query<{ leaseId: string | null; granted: number; used: number }>({ ...LEASE, values });
    const { granted, used, leaseId: own } = rows[0]!;
    return { limit, used, actions: granted, leaseId: own ?? undefined, planVersion };
  },

  async returnActions({ unused }) {
    const columns = [
      unused.map((one) => one.orgId),
      unused.map((one) => one.leaseId),
      unused.map((one) => one.actions),
    ];
    await pool.query({ ...COUNT_OFF, values: columns });
    return {};
  },
});

const FIND_LEASES = {
  name: 'find-leases',
  text: `
    SELECT lease.id, lease.month::text FROM members.action_leases lease
    JOIN unnest($1::uuid[], $2::uuid[]) AS used (org_id, id) ON lease.org_id = used.org_id AND lease.id = used.id`,
};

const COUNT = {
  name: 'count-actions',
  text: `
    INSERT INTO members.action_usage (org_id, month, actions, sandbox_runs)
    SELECT org_id, month, sum(actions), sum(sandbox_runs)
    FROM unnest($1::uuid[], $2::date[], $3::int[], $4::int[]) AS counted (org_id, month, actions, sandbox_runs)
    GROUP BY org_id, month ORDER BY org_id, month
    ON CONFLICT (org_id, month) DO UPDATE SET actions = action_usage.actions + excluded.actions,
      sandbox_runs = action_usage.sandbox_runs + excluded.sandbox_runs`,
};

// Subtracts counted actions from their leases (parts of the monthly quota that processes have reserved). Locks leases in a fixed order, so that two
// batches cannot deadlock.
const COUNT_OFF = {
  name: 'count-off-leases',
  text: `
    WITH counted AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS counted (org_id, id, actions)),
    held AS MATERIALIZED (
      SELECT lease.id FROM members.action_leases lease JOIN counted ON counted.id = lease.id AND counted.org_id = lease.org_id
      ORDER BY lease.org_id, lease.id FOR UPDATE OF lease)
    UPDATE members.action_leases SET held = greatest(0, action_leases.held - counted.actions)
    FROM held JOIN counted ON counted.id = held.id
    WHERE action_leases.id = held.id AND action_leases.org_id = counted.org_id`,
};

type Executed = EventOf<'actionExecuted'>;
export type Counted = Executed | EventOf<'codeRunStarted'>;

/**
 * Adds the executed actions and sandbox runs of a batch to the monthly usage of their organizations, and subtracts them from their leases (parts of
 * the monthly quota that processes have reserved). An action counts in the month of its lease. The number of statements does not depend on the number
 * of organizations.
 */
export async function countUsage(events: Counted[], tx: PoolClient): Promise<void> {
  if (events.length === 0) return;
  const executed = events.filter(isExecuted);
  const runs = events.filter(isSandboxRun);
  const leased = [
    ...countBy(executed, ({ orgId, payload: { value } }) => value.leaseId && [orgId, value.leaseId]),
    ...countBy(runs, ({ orgId, payload: { value } }) => value.sandboxLeaseId && [orgId, value.sandboxLeaseId]),
  ];
  const found = leased.length > 0 ? await findLeases(leased, tx) : [];
  const months = new Map(found.map(({ id, month }) => [id, month]));
  const monthOf = (leaseId: string | undefined, { occurredAt }: Counted): string =>
    months.get(leaseId ?? '') ?? toMonth(new Date(occurredAt));
  const used = countBy(executed, (event) => [event.orgId, monthOf(event.payload.value.leaseId, event)]);
  const ran = countBy(runs, (event) => [event.orgId, monthOf(event.payload.value.sandboxLeaseId, event)]);
  // Locks the usage of months before leases, in the order in which lease_quota locks them. The reverse order could deadlock.
  await tx.query({ ...COUNT, values: toUsage(used, ran) });
  const held = leased.filter(({ key: [, id] }) => months.has(id));
  if (held.length > 0) await tx.query({ ...COUNT_OFF, values: toColumns(held) });
}

const isExecuted = (event: Counted): event is Executed => event.payload.$case === 'actionExecuted';

/** Returns whether an event counts as a sandbox run. A program of Code Mode is not an action, but it uses the sandbox. */
function isSandboxRun({ payload }: Counted): boolean {
  return payload.$case === 'codeRunStarted' || payload.value.usedSandbox;
}

async function findLeases(leased: Count[], tx: PoolClient): Promise<{ id: string; month: string }[]> {
  const [orgIds, ids] = toColumns(leased);
  const { rows } = await tx.query<{ id: string; month: string }>({ ...FIND_LEASES, values: [orgIds, ids] });
  return rows;
}

/** The number of events for an organization and one of its leases or months. */
interface Count {
  key: [orgId: string, of: string];
  events: number;
}

function countBy<Event extends Counted>(
  events: Event[],
  keyOf: (event: Event) => Count['key'] | '' | undefined,
): Count[] {
  const counts = new Map<string, Count>();
  for (const event of events) {
    const key = keyOf(event);
    if (!key) continue;
    const counted = counts.get(key.join()) ?? { key, events: 0 };
    counts.set(key.join(), counted);
    counted.events++;
  }
  return [...counts.values()];
}

const toColumns = (counted: Count[]): [string[], string[], number[]] => [
  counted.map(({ key: [orgId] }) => orgId),
  counted.map(({ key: [, of] }) => of),
  counted.map(({ events }) => events),
];

/** Returns the parameters of COUNT: first a row for each count of actions, then a row for each count of sandbox runs. */
function toUsage(actions: Count[], sandboxRuns: Count[]): unknown[][] {
  const [orgIds, months] = toColumns([...actions, ...sandboxRuns]);
  const inColumn = (column: 'actions' | 'sandboxRuns'): number[] => [
    ...actions.map(({ events }) => (column === 'actions' ? events : 0)),
    ...sandboxRuns.map(({ events }) => (column === 'sandboxRuns' ? events : 0)),
  ];
  return [orgIds, months, inColumn('actions'), inColumn('sandboxRuns')];
}

function toMonth(date: Date): string {
  return startOfMonth(date).toISOString().slice(0, 10);
}

/** Returns the first day of the month in UTC. */
export function startOfMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
