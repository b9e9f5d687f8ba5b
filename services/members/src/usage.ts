import { type EventOf, type RetentionRule } from '@drawbridge/events';
import { type PoolClient } from 'pg';

const FIND_LEASES = 'SELECT id, month::text FROM members.action_leases WHERE org_id = $1 AND id = ANY($2::uuid[])';

const COUNT = {
  name: 'count-actions',
  text: `
    INSERT INTO members.action_usage (org_id, month, actions) VALUES ($1, $2, $3)
    ON CONFLICT (org_id, month) DO UPDATE SET actions = action_usage.actions + excluded.actions`,
};

const COUNT_OFF = `
  UPDATE members.action_leases SET held = greatest(0, held - counted.actions)
  FROM unnest($2::uuid[], $3::int[]) AS counted (id, actions)
  WHERE action_leases.id = counted.id AND org_id = $1`;

/** Over for a day: nothing is counted off from them any more. */
export const ENDED_LEASES: RetentionRule = {
  table: 'members.action_leases',
  key: 'id',
  oldest: 'until',
  expired: "until < now() - interval '1 day'",
};

export type Executed = EventOf<'actionExecuted'>;

/**
 * Adds the executed actions of a batch of fresh events to their organizations' month, that of the lease which they were
 * counted off from, and takes them off what it holds.
 */
export async function countActions(events: Executed[], tx: PoolClient): Promise<void> {
  for (const [orgId, own] of inOrder(groupBy(events, (event) => event.orgId))) await countOf(orgId, own, tx);
}

async function countOf(orgId: string, events: Executed[], tx: PoolClient): Promise<void> {
  const leased = groupBy(
    events.filter((event) => event.payload.value.leaseId !== undefined),
    (event) => event.payload.value.leaseId!,
  );
  const found =
    leased.size > 0
      ? await tx.query<{ id: string; month: string }>(FIND_LEASES, [orgId, [...leased.keys()]])
      : undefined;
  const months = new Map(found?.rows.map(({ id, month }) => [id, month]));
  const monthOf = ({ occurredAt, payload }: Executed): string =>
    months.get(payload.value.leaseId ?? '') ?? toMonth(new Date(occurredAt));

  // The month before its leases, as who leases takes them: the other way round the two would wait for each other.
  for (const [month, own] of inOrder(groupBy(events, monthOf)))
    await tx.query({ ...COUNT, values: [orgId, month, own.length] });
  const ids = [...months.keys()];
  if (ids.length > 0) await tx.query(COUNT_OFF, [orgId, ids, ids.map((id) => leased.get(id)?.length ?? 0)]);
}

/** By their keys, so that two batches that overlap never wait for each other in a circle. */
function inOrder<T>(groups: Map<string, T>): [string, T][] {
  return [...groups].sort(([one], [other]) => (one < other ? -1 : 1));
}

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? [];
    groups.set(keyOf(item), group);
    group.push(item);
  }
  return groups;
}

function toMonth(date: Date): string {
  return startOfMonth(date).toISOString().slice(0, 10);
}

/** The first of the month, UTC. */
export function startOfMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
