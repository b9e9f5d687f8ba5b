import { ApiError, invalid, isId, notFound } from '@drawbridge/contracts';
import { fromIdCursor, toIdPage, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { query, type Queryable } from '@drawbridge/jobs';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type RedeliverTriggerRequest,
  type TriggerDelivery,
  type TriggerDeliveryServiceDefinition,
} from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { caller, type Implementation, nothingToRecord, requireInScope } from '@drawbridge/rpc';
import { bodyOf, type CallbackEvent } from './callback.js';
import { recordEvents, type Telling, tellings } from '../events/record-events.js';
import { type Delivery, type Prisma, type PrismaClient as Db, type Source } from '../gen/prisma/client.js';
import { eventsFor, reasonOf, unreadableRequest } from '../matching/read-event.js';

interface Parts {
  db: Db;
  outbox: Outbox;
  enqueueAsked(tx: Queryable, delivery: { id: string; orgId: string }): Promise<void>;
  /** Throws NOT_FOUND for a deleted workspace, and FORBIDDEN for a suspended workspace. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
}

export const triggerDeliveries = (parts: Parts): Implementation<TriggerDeliveryServiceDefinition> => ({
  // Sorts by id. Ids are UUIDv7, so they are ordered by the time at which events were recorded.
  async listTriggerDeliveries({ id: sourceId, limit = PageDefaults.limit, cursor }) {
    const { orgId, workspaceId } = await findSource(parts.db, sourceId);
    await parts.requireWorkspaceNow(workspaceId);
    const id = cursor === undefined ? undefined : { lt: fromIdCursor(cursor) };
    const where = { orgId, sourceId, id };
    const rows = await parts.db.delivery.findMany({ where, take: limit + 1, orderBy: { id: 'desc' } });
    const { page, nextCursor } = toIdPage(rows, limit);
    return { deliveries: page.map(toDelivery), nextCursor };
  },

  async getTriggerDelivery({ id, deliveryId }) {
    const source = await findSource(parts.db, id);
    await parts.requireWorkspaceNow(source.workspaceId);
    const delivery = await findDelivery(parts.db, source, deliveryId);
    return { delivery: toDelivery(delivery), body: await readBody(parts.db, source, delivery) };
  },

  redeliverTrigger: (request) => redeliver(parts, request),
});

/** Returns a source that is enabled, or that is disabled and still has deliveries. Throws NOT_FOUND. */
async function findSource(db: Pick<Db, 'source'>, id: string): Promise<Source> {
  const where = { id, orgId: caller().orgId, status: { in: ['enabled', 'disabling'] } };
  const row = isId(id) ? await db.source.findFirst({ where }) : null;
  if (!row) throw notFound('Trigger', id);
  requireInScope(row.workspaceId);
  return row;
}

/** Returns a delivery of the source. Throws NOT_FOUND. */
async function findDelivery(db: Pick<Db, 'delivery'>, { id: sourceId, orgId }: Source, id: string): Promise<Delivery> {
  const row = isId(id) ? await db.delivery.findFirst({ where: { id, orgId, sourceId } }) : null;
  if (!row) throw notFound('Trigger delivery', id);
  return row;
}

/** Converts a row. The API has no status for events without a callback: they are pending until they expire. */
function toDelivery(row: Delivery): TriggerDelivery {
  return toWire({ ...row, status: row.status === 'kept' ? 'pending' : row.status });
}

type KeptEvent = Pick<CallbackEvent, 'payload' | 'simulate' | 'createdAt'>;

/**
 * Reads the payload as text, because parsing 5 MiB of JSON would block the event loop. The payload of a delivered event is deleted. One statement
 * reads the payload and the status of the delivery, so that it never returns a deleted payload.
 */
const EVENT = `SELECT payload::text, e.simulate, e.created_at AS "createdAt" FROM triggers.events e
  JOIN triggers.deliveries d ON d.event_id = e.id AND d.org_id = e.org_id
  WHERE e.org_id = $1::uuid AND e.id = $2::uuid AND NOT e.unreadable AND d.status <> 'success'`;

/** Returns the body of a callback. Returns undefined if the event was delivered, cannot be read or is no longer stored. */
async function readBody(db: Db, source: Source, { orgId, eventId }: Delivery): Promise<string | undefined> {
  const [event] = await db.$queryRawUnsafe<KeptEvent[]>(EVENT, orgId, eventId);
  return event && bodyOf({ ...source, ...event, sourceId: source.id, eventId });
}

/**
 * Makes a delivery due for a redelivery. A dead letter gets all its tries again, the first of them immediately. A delivery that waits for a retry is
 * sent now, and this attempt counts. An interrupted attempt does not count. The source may be disabled, because its callbackUrl, headers and signing
 * secret are stored as long as its deliveries. `asked_at` marks the delivery as wanted although the source is disabled; it is never earlier than
 * `suspended_at`, even if clocks differ.
 */
const REDELIVER = `UPDATE triggers.deliveries d SET status = CASE WHEN s.callback_url IS NULL THEN 'kept' ELSE 'retrying' END,
      tries = CASE WHEN d.status = 'failed' THEN 0 WHEN in_flight THEN greatest(0, tries - 1) ELSE tries END,
      due_at = now(), updated_at = now(), asked_at = greatest(now(), s.suspended_at), in_flight = false,
      is_ready = s.callback_url IS NOT NULL
    FROM triggers.sources s WHERE d.org_id = $1::uuid AND d.id = $2::uuid AND s.id = d.source_id AND s.org_id = d.org_id
      AND (d.status = 'failed' OR (d.status IN ('pending', 'retrying') AND NOT d.held AND (NOT in_flight OR due_at <= now())))
    RETURNING d.id, d.is_ready AS "isReady"`;

/** Redelivers a delivery. Throws NOT_FOUND, FORBIDDEN in a suspended workspace, and DUPLICATE for a delivery that already succeeded. */
async function redeliver(
  { db, outbox, enqueueAsked, requireWorkspaceNow }: Parts,
  { id: sourceId, deliveryId }: RedeliverTriggerRequest,
): Promise<TriggerDelivery> {
  await requireWorkspaceNow((await findSource(db, sourceId)).workspaceId);
  const row = await db.$transaction(async (tx) => {
    const source = await findSource(tx, sourceId);
    const { orgId, workspaceId, integrationName, triggerName } = source;
    const where = { id: deliveryId, orgId, sourceId };
    const known = await findDelivery(tx, source, deliveryId);
    await readAgain(tx, source, known);
    const [revived] = await query<{ id: string; isReady: boolean }>(tx, REDELIVER, orgId, known.id);
    if (!revived) return requireOnItsWay(known);
    if (revived.isReady) await enqueueAsked(tx, { id: revived.id, orgId });
    const name = `${integrationName}.${triggerName}`;
    await outbox.record(tx, { id: sourceId, name, workspaceId, reason: revived.id });
    return tx.delivery.findFirstOrThrow({ where });
  });
  return toDelivery(row);
}

/** Returns the delivery unchanged if it is being sent, is paused or has no callback. Throws DUPLICATE if it succeeded. */
function requireOnItsWay(known: Delivery): Delivery {
  if (known.status !== 'success') {
    nothingToRecord();
    return known;
  }
  throw new ApiError('DUPLICATE', 'The delivery has already succeeded. Only other deliveries can be redelivered', {
    details: { status: known.status },
  });
}

/**
 * Reads the stored request of a dead letter again if the piece could not read it before, because the piece may have been fixed since. Throws
 * VALIDATION_ERROR if it still cannot be read, and DUPLICATE if the provider has sent the event again.
 */
async function readAgain(tx: Prisma.TransactionClient, source: Source, { eventId, orgId }: Delivery): Promise<void> {
  const event = await tx.event.findFirst({ where: { id: eventId, orgId, unreadable: true } });
  if (!event) return;
  const [first, ...others] = read(source, event.payload);
  if (!first) {
    const problem = "the provider's stored request contains no event of this trigger, so there is nothing to redeliver";
    throw invalid({ deliveryId: problem });
  }
  const { providerId, payload, signatureHash } = first;
  const known = await tx.event.findFirst({ where: { orgId, sourceId: source.id, providerId } });
  if (known) throw new ApiError('DUPLICATE', `The provider has sent this event again, as event ${known.id}`);
  const data = { providerId, signatureHash, payload: JSON.parse(payload) as Prisma.InputJsonValue, unreadable: false };
  await tx.event.updateMany({ where: { id: eventId, orgId }, data });
  await recordEvents(tx, async () => undefined, others);
}

function read(source: Source, payload: unknown): Telling[] {
  try {
    const input = source.input as Parameters<typeof eventsFor>[0]['input'];
    const events = eventsFor({ ...source, input }, unreadableRequest(payload));
    // Returns no events if a newer version of the piece polls instead, because the next poll finds the event.
    return events === 'poll' ? [] : tellings(source, events);
  } catch (error) {
    throw invalid({ deliveryId: reasonOf(error) });
  }
}
