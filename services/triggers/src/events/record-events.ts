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

/** An event for one source, as text: what is kept of it until it is written. */
export interface Telling {
  source: Told;
  providerId: string;
  payload: string;
  signatureHash: string | null;
  /** Why the piece cannot read it: it is recorded as a dead letter. Null: it was read. */
  unreadable: string | null;
  /** The provider sent it, now: a dead letter of the same id is delivered again. A poll finds the same things each time. */
  isSent: boolean;
}

/**
 * Nothing for a source that goes, or in a workspace that went: neither is deleted until the transaction ends. (One that is disabled in this
 * very moment has deliveries; who delivers asks again.) Nor for the copy of what was signed long ago. An event that is known is recorded once; where
 * its delivery is a dead letter and the provider sends it again, as GitHub does on "Redeliver", that one has all its attempts again. In the order of sources and of the third party's ids: two that record the same events
 * wait for each other, and never in a circle.
 */
const RECORD = {
  name: 'record-events',
  text: `
    WITH told AS MATERIALIZED (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::boolean[], $7::text[], $8::text[], $9::text[], $10::text[], $11::boolean[])
        AS one(id, delivery_id, org_id, workspace_id, source_id, simulate, provider_id, payload, signature_hash, reason, is_sent)),
    source AS MATERIALIZED (
      SELECT id, org_id FROM triggers.sources
      WHERE org_id = ANY($3::uuid[]) AND id = ANY($5::uuid[]) AND status <> 'disabling' ORDER BY id FOR KEY SHARE),
    living AS MATERIALIZED (
      SELECT id FROM (SELECT DISTINCT workspace_id AS id FROM told) workspace WHERE triggers.workspace_lives(id)),
    recorded AS (
      INSERT INTO triggers.events (id, org_id, workspace_id, source_id, provider_id, signature_hash, payload, simulate, unreadable)
      SELECT told.id, told.org_id, told.workspace_id, source.id, told.provider_id, told.signature_hash, told.payload::json,
        told.simulate, told.reason IS NOT NULL
      FROM told JOIN source ON source.id = told.source_id AND source.org_id = told.org_id JOIN living ON living.id = told.workspace_id
      WHERE NOT EXISTS (
        SELECT FROM triggers.events old WHERE old.org_id = told.org_id AND old.source_id = told.source_id
          AND old.signature_hash = told.signature_hash AND old.created_at < now() - interval '5 minutes')
      ORDER BY told.source_id, told.provider_id, told.id
      ON CONFLICT (source_id, provider_id) DO NOTHING RETURNING id),
    delivered AS (
      INSERT INTO triggers.deliveries (id, org_id, workspace_id, source_id, event_id, bytes, status, error_message)
      SELECT told.delivery_id, told.org_id, told.workspace_id, told.source_id, told.id, octet_length(told.payload),
        CASE WHEN told.reason IS NULL THEN 'pending' ELSE 'failed' END, told.reason
      FROM told JOIN recorded USING (id)
      RETURNING id, org_id, status),
    revived AS (
      UPDATE triggers.deliveries d SET status = 'retrying', tries = 0, due_at = now(), updated_at = now(), in_flight = false
      FROM told JOIN source ON source.id = told.source_id AND source.org_id = told.org_id JOIN living ON living.id = told.workspace_id
        JOIN triggers.events known ON known.org_id = told.org_id AND known.source_id = told.source_id AND known.provider_id = told.provider_id
      WHERE told.is_sent AND NOT known.unreadable AND d.org_id = told.org_id AND d.event_id = known.id AND d.status = 'failed'
      RETURNING d.id, d.org_id)
    SELECT id, org_id AS "orgId" FROM delivered WHERE status = 'pending' UNION ALL SELECT id, org_id FROM revived`,
};

/** What a source is told of events of its third party. Throws for data that is no JSON: pieces of others may call anything so. */
export function tellings(source: Told, events: readonly TriggerEvent[], isSent = false): Telling[] {
  return events.map(({ id, data, signature }) => ({
    ...{ source, providerId: toProviderId(id), payload: toPayload(data), unreadable: null, isSent },
    signatureHash: signature === undefined ? null : sha256(signature),
  }));
}

function toPayload(data: unknown): string {
  const payload: string | undefined = JSON.stringify(data);
  if (payload === undefined) throw new TypeError('The data of an event is no JSON');
  return payload;
}

/** Notes each event once, whatever the third party repeats, with a delivery that is on its way from the commit on. */
export async function recordEvents(tx: Queryable, enqueue: Enqueue, told: readonly Telling[]): Promise<void> {
  if (told.length === 0) return;
  const columns = [
    // As they happened: ids are in order of time.
    told.map(() => newId()),
    told.map(() => newId()),
    told.map(({ source }) => source.orgId),
    told.map(({ source }) => source.workspaceId),
    told.map(({ source }) => source.id),
    told.map(({ source }) => source.simulate),
    told.map(({ providerId }) => providerId),
    told.map(({ payload }) => payload),
    told.map(({ signatureHash }) => signatureHash),
    told.map(({ unreadable }) => unreadable),
    told.map(({ isSent }) => isSent),
  ];
  await enqueue(tx, await query<{ id: string; orgId: string }>(tx, RECORD, ...columns));
}

export function toProviderId(id: string): string {
  if (id.length <= MAX_ID_CHARACTERS && !id.includes('\0')) return id;
  return `sha256:${sha256(id)}`;
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}
