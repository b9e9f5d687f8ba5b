import { type EventOf } from '@drawbridge/events';
import { type PoolClient } from 'pg';

const COUNT = `
  INSERT INTO members.action_usage (org_id, month, actions) VALUES ($1, $2, $3)
  ON CONFLICT (org_id, month) DO UPDATE SET actions = action_usage.actions + excluded.actions`;

/** Adds the executed actions of a batch of fresh events to their organizations' month. */
export async function countActions(events: EventOf<'actionExecuted'>[], tx: PoolClient): Promise<void> {
  const counts = new Map<string, { orgId: string; month: Date; actions: number }>();
  for (const { orgId, occurredAt } of events) {
    const month = startOfMonth(new Date(occurredAt));
    const key = `${orgId} ${month.toISOString()}`;
    const known = counts.get(key) ?? { orgId, month, actions: 0 };
    counts.set(key, { ...known, actions: known.actions + 1 });
  }
  for (const { orgId, month, actions } of counts.values()) {
    await tx.query(COUNT, [orgId, month.toISOString().slice(0, 10), actions]);
  }
}

/** The first of the month, UTC. */
export function startOfMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}
