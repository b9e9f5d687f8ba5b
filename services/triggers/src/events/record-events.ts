import { createHash } from 'node:crypto';
import { newId } from '@drawbridge/contracts';
import { arraysOf, columnsOf, type ElementType } from '@drawbridge/events';
import { type Enqueue, query, type Queryable } from '@drawbridge/jobs';
import { type TriggerEvent } from '@drawbridge/piece-kit';
import { type Source } from '../gen/prisma/client.js';

/**
 * Maximum length of the id that a provider gives an event, because the size of an index entry is limited. Longer ids, and ids with NUL, are replaced
 * by their hash.
 */
const MAX_ID_CHARACTERS = 255;

/** The trigger source that receives events. */
export type Told = Pick<Source, 'id' | 'orgId' | 'workspaceId' | 'simulate'>;

/** An event for one trigger source. Its payload is JSON text until it is written. */
export interface Telling {
  source: Told;
  providerId: string;
  payload: string;
  signatureHash: string | null;
  /** The reason why the piece cannot read the event, which is then recorded as a dead letter. Null if the event was read. */
  unreadable: string | null;
  /**
   * True if the provider sent the event. If a dead letter with this id exists, it is then redelivered. False for a polled event, because polls return
   * the same items repeatedly.
   */
  isSent: boolean;
}

/** The types of the columns of `recordEvents`. */
const TOLD: readonly ElementType[] = [
  ...(['uuid', 'uuid', 'uuid', 'uuid', 'uuid', 'boolean'] as const),
  ...(['text', 'text', 'text', 'text', 'boolean'] as const),
];

/**
 * Records events and their deliveries. Records each event once, as `kept` if the source has no callback. If the delivery of an event is a dead letter
 * and the provider sends the event again (as GitHub does on "Redeliver"), the delivery gets all its tries again. Ignores a copy of a signed request
 * that was recorded more than 5 minutes ago, because it may be a replay. Records nothing if the workspace is deleted or being deleted: waiting for a
 * deletion would delay the events of other organizations. Neither the source nor the workspace can be deleted until the transaction ends. A source
 * that was disabled after its provider sent the events still gets deliveries, which the worker does not send, so they become dead letters. Writes
 * rows in the order of source and provider id, so that two transactions cannot deadlock.
 */
const RECORD = {
  name: 'record-events',
  text: `
    WITH told AS MATERIALIZED (
      SELECT * FROM unnest(${arraysOf(TOLD)})
        AS one(id, delivery_id, org_id, workspace_id, source_id, simulate, provider_id, payload, signature_hash, reason, is_sent)),
    source AS MATERIALIZED (
      SELECT id, org_id, callback_url IS NOT NULL AS is_called FROM triggers.sources
      WHERE org_id = ANY($3::uuid[]) AND id = ANY($5::uuid[]) ORDER BY id FOR KEY SHARE),
    living AS MATERIALIZED (
      SELECT id FROM (SELECT DISTINCT workspace_id AS id FROM told) workspace WHERE triggers.workspace_lives_now(id)),
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
      INSERT INTO triggers.deliveries (id, org_id, workspace_id, source_id, event_id, bytes, status, error_message, is_ready)
      SELECT told.delivery_id, told.org_id, told.workspace_id, told.source_id, told.id, octet_length(told.payload),
        CASE WHEN told.reason IS NOT NULL THEN 'failed' WHEN is_called THEN 'pending' ELSE 'kept' END, told.reason,
        is_called AND told.reason IS NULL
      FROM told JOIN recorded USING (id) JOIN source ON source.id = told.source_id
      RETURNING id, org_id, is_ready),
    revived AS (
      UPDATE triggers.deliveries d SET status = CASE WHEN is_called THEN 'retrying' ELSE 'kept' END, tries = 0,
        due_at = now(), updated_at = now(), in_flight = false, is_ready = is_called
      FROM told JOIN source ON source.id = told.source_id AND source.org_id = told.org_id JOIN living ON living.id = told.workspace_id
        JOIN triggers.events known ON known.org_id = told.org_id AND known.source_id = told.source_id AND known.provider_id = told.provider_id
      WHERE told.is_sent AND NOT known.unreadable AND d.org_id = told.org_id AND d.event_id = known.id AND d.status = 'failed'
      RETURNING d.id, d.org_id, d.is_ready)
    SELECT id, org_id AS "orgId" FROM delivered WHERE is_ready UNION ALL SELECT id, org_id FROM revived WHERE is_ready`,
};

/** Converts the events that a piece returned for a source. Throws for data that is not JSON, which external pieces may return. */
export function tellings(source: Told, events: readonly TriggerEvent[], isSent = false): Telling[] {
  return events.map(({ id, data, signature }) => ({
    ...{ source, providerId: toProviderId(id), payload: toPayload(data), unreadable: null, isSent },
    signatureHash: signature === undefined ? null : sha256(signature),
  }));
}

function toPayload(data: unknown): string {
  const payload: string | undefined = JSON.stringify(data);
  if (payload === undefined) throw new TypeError('The data of an event is not JSON');
  return payload;
}

/**
 * Records each event once, even if the provider repeats it, with a delivery that is due when the transaction commits. Passes the new deliveries to
 * `enqueue`.
 */
export async function recordEvents(tx: Queryable, enqueue: Enqueue, told: readonly Telling[]): Promise<void> {
  if (told.length === 0) return;
  // Ids contain their creation time, so they are created in the order of the events.
  const rows = told.map(({ source, providerId, payload, signatureHash, unreadable, isSent }) => [
    ...[newId(), newId(), source.orgId, source.workspaceId, source.id, source.simulate],
    ...[providerId, payload, signatureHash, unreadable, isSent],
  ]);
  await enqueue(tx, await query<{ id: string; orgId: string }>(tx, RECORD, ...columnsOf(rows, TOLD)));
}

export function toProviderId(id: string): string {
  if (id.length <= MAX_ID_CHARACTERS && !id.includes('\0')) return id;
  return `sha256:${sha256(id)}`;
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Maximum number of events of one statement, and of characters of payloads in memory until they are written. */
const MOST = { events: 500, characters: 4 * 1_048_576 };

export type Recorder = ReturnType<typeof recorder>;

/** Records events of many sources in batches, and enqueues their deliveries together at the end. */
export function recorder(tx: Queryable, enqueue: Enqueue) {
  const deliveries: Parameters<Enqueue>[1][number][] = [];
  const collect: Enqueue = async (_tx, more) => void deliveries.push(...more);
  let waiting: Telling[] = [];
  let characters = 0;

  async function write(): Promise<void> {
    await recordEvents(tx, collect, waiting);
    [waiting, characters] = [[], 0];
  }

  return {
    /** Adds events to the current batch, and records the batch when it is full. */
    async tell(told: readonly Telling[]): Promise<void> {
      for (const one of told) {
        waiting.push(one);
        characters += one.payload.length;
        if (waiting.length >= MOST.events || characters >= MOST.characters) await write();
      }
    },
    /** Records the remaining events and enqueues all deliveries. */
    async end(): Promise<void> {
      await write();
      await enqueue(tx, deliveries);
    },
  };
}
