import { newId } from '@drawbridge/contracts';
import { type Queryable } from '@drawbridge/jobs';
import { type TriggerEvent } from '@drawbridge/piece-kit';
import { type PoolClient } from 'pg';

/** What the queue keeps of a delivery. */
export interface Wanted {
  id: string;
  orgId: string;
}

/** In the transaction that notes the delivery: it is tried from its commit on, across restarts. */
export type EnqueueDelivery = (tx: Queryable, delivery: Wanted) => Promise<void>;

/** Whom events are told to. */
export interface Told {
  id: string;
  orgId: string;
  workspaceId: string;
  simulate: boolean;
}

const INSERT_EVENTS = {
  name: 'insert-trigger-events',
  text: `INSERT INTO triggers.events (id, org_id, workspace_id, source_id, provider_id, payload, simulate)
    SELECT told.id, $1, $2, $3, told.provider_id, told.payload, $4
    FROM unnest($5::uuid[], $6::text[], $7::json[]) AS told(id, provider_id, payload)
    ON CONFLICT (source_id, provider_id) DO NOTHING RETURNING id`,
};
const INSERT_DELIVERIES = {
  name: 'insert-trigger-deliveries',
  text: `INSERT INTO triggers.deliveries (id, org_id, workspace_id, source_id, event_id)
    SELECT told.id, $1, $2, $3, told.event_id FROM unnest($4::uuid[], $5::uuid[]) AS told(id, event_id)`,
};

/** Notes each event once, whatever the third party repeats, with a delivery that is on its way from the commit on. How many were new. */
export async function recordEvents(
  tx: PoolClient,
  enqueue: EnqueueDelivery,
  { id, orgId, workspaceId, simulate }: Told,
  events: readonly TriggerEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const ids = events.map(() => newId());
  const payloads = events.map(({ data }) => JSON.stringify(data));
  const told = [orgId, workspaceId, id, simulate, ids, events.map((event) => event.id), payloads];
  const { rows } = await tx.query<{ id: string }>({ ...INSERT_EVENTS, values: told });
  const deliveries = rows.map((event) => ({ id: newId(), eventId: event.id }));
  const values = [orgId, workspaceId, id, deliveries.map((one) => one.id), deliveries.map(({ eventId }) => eventId)];
  await tx.query({ ...INSERT_DELIVERIES, values });
  for (const delivery of deliveries) await enqueue(tx, { id: delivery.id, orgId });
  return rows.length;
}
