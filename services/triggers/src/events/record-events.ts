import { createHash } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { type Enqueue, query, type Queryable } from '@drawbridge/jobs';
import { type TriggerEvent } from '@drawbridge/piece-kit';

/** Longer ids are told apart by their hash, and those with NUL: an index has no room for whatever a third party calls an event. */
const MAX_ID_CHARACTERS = 255;

/** Whom events are told to. */
export interface Told {
  id: string;
  orgId: string;
  workspaceId: string;
  simulate: boolean;
}

/**
 * Nothing for a source that goes, or in a workspace that went: neither is deleted until the transaction ends. (One that is disabled in this
 * very moment has deliveries; who delivers asks again.) Nor for the copy of what was signed long ago. In the order of the third party's ids: two that record the same events wait for each
 * other, and never in a circle.
 */
const RECORD = {
  name: 'record-events',
  text: `
    WITH told AS MATERIALIZED (
      SELECT * FROM unnest($5::uuid[], $6::uuid[], $7::text[], $8::text[], $9::text[])
        AS one(id, delivery_id, provider_id, payload, signature_hash)),
    source AS MATERIALIZED (
      SELECT id FROM triggers.sources WHERE org_id = $1::uuid AND id = $3::uuid AND status <> 'disabling' FOR KEY SHARE),
    recorded AS (
      INSERT INTO triggers.events (id, org_id, workspace_id, source_id, provider_id, signature_hash, payload, simulate)
      SELECT told.id, $1::uuid, $2::uuid, source.id, told.provider_id, told.signature_hash, told.payload::json, $4::boolean FROM told, source
      WHERE (SELECT triggers.workspace_lives($2::uuid)) AND NOT EXISTS (
        SELECT FROM triggers.events old WHERE old.org_id = $1::uuid AND old.source_id = $3::uuid
          AND old.signature_hash = told.signature_hash AND old.created_at < now() - interval '5 minutes')
      ORDER BY told.provider_id
      ON CONFLICT (source_id, provider_id) DO NOTHING RETURNING id)
    INSERT INTO triggers.deliveries (id, org_id, workspace_id, source_id, event_id)
    SELECT told.delivery_id, $1::uuid, $2::uuid, $3::uuid, told.id FROM told JOIN recorded USING (id) RETURNING id`,
};

/** Notes each event once, whatever the third party repeats, with a delivery that is on its way from the commit on. How many were new. */
export async function recordEvents(
  tx: Queryable,
  enqueue: Enqueue,
  { id, orgId, workspaceId, simulate }: Told,
  events: readonly TriggerEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const columns = [
    events.map(() => newId()),
    events.map(() => newId()),
    events.map((event) => toProviderId(event.id)),
    events.map(({ data }) => JSON.stringify(data)),
    events.map(({ signature }) => (signature === undefined ? null : sha256(signature))),
  ];
  const recorded = await query<{ id: string }>(tx, RECORD, orgId, workspaceId, id, simulate, ...columns);
  // As they happened: ids are in order of time.
  const deliveries = recorded.map((delivery) => delivery.id).sort();
  await enqueue(
    tx,
    deliveries.map((delivery) => ({ id: delivery, orgId, receiver: id })),
  );
  return deliveries.length;
}

export function toProviderId(id: string): string {
  if (id.length <= MAX_ID_CHARACTERS && !id.includes('\0')) return id;
  return `sha256:${sha256(id)}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
