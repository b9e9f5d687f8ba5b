import { ApiError, isId, notFound } from '@drawbridge/contracts';
import { fromIdCursor, toIdPage, toWire } from '@drawbridge/database';
import { type Outbox } from '@drawbridge/events';
import { deadDelivery, type Queryable } from '@drawbridge/jobs';
import { PageDefaults } from '@drawbridge/proto/drawbridge/fields/v1/fields';
import {
  type RedeliverTriggerRequest,
  type TriggerDelivery,
  type TriggerDeliveryServiceDefinition,
} from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { caller, type Implementation, requireInScope } from '@drawbridge/rpc';
import { type PrismaClient as Db, type Source } from '../gen/prisma/client.js';

interface Parts {
  db: Db;
  outbox: Outbox;
  enqueueAsked(tx: Queryable, delivery: { id: string; orgId: string }): Promise<void>;
  /** Throws NOT_FOUND for a workspace that is gone, FORBIDDEN for a suspended one. */
  requireWorkspaceNow(workspaceId: string): Promise<unknown>;
}

export const triggerDeliveries = (parts: Parts): Implementation<TriggerDeliveryServiceDefinition> => ({
  // Ids are UUIDv7: their order is the order in which events were told.
  async listTriggerDeliveries({ id: sourceId, limit = PageDefaults.limit, cursor }) {
    const { orgId, workspaceId } = await findSource(parts.db, sourceId);
    await parts.requireWorkspaceNow(workspaceId);
    const id = cursor === undefined ? undefined : { lt: fromIdCursor(cursor) };
    const where = { orgId, sourceId, id };
    const rows = await parts.db.delivery.findMany({ where, take: limit + 1, orderBy: { id: 'desc' } });
    const { page, nextCursor } = toIdPage(rows, limit);
    return { deliveries: page.map(toWire), nextCursor };
  },

  redeliverTrigger: (request) => redeliver(parts, request),
});

/** What is being disabled is gone for who asks. Throws NOT_FOUND. */
async function findSource(db: Pick<Db, 'source'>, id: string): Promise<Source> {
  const where = { id, orgId: caller().orgId, status: 'enabled' };
  const row = isId(id) ? await db.source.findFirst({ where }) : null;
  if (!row) throw notFound('Trigger', id);
  requireInScope(row.workspaceId);
  return row;
}

/** A dead letter has all its attempts again, the first at once. Throws NOT_FOUND, FORBIDDEN in a suspended workspace, and DUPLICATE for what is no dead letter. */
async function redeliver(
  { db, outbox, enqueueAsked, requireWorkspaceNow }: Parts,
  { id: sourceId, deliveryId }: RedeliverTriggerRequest,
): Promise<TriggerDelivery> {
  await requireWorkspaceNow((await findSource(db, sourceId)).workspaceId);
  const row = await db.$transaction(async (tx) => {
    const { orgId, workspaceId, integrationName, triggerName } = await findSource(tx, sourceId);
    const where = { id: deliveryId, orgId, sourceId };
    const known = isId(deliveryId) ? await tx.delivery.findFirst({ where }) : null;
    if (!known) throw notFound('Trigger delivery', deliveryId);
    const now = new Date();
    const data = { status: 'retrying', tries: 0, dueAt: now, updatedAt: now };
    const [revived] = await tx.delivery.updateManyAndReturn({ where: { ...where, ...deadDelivery() }, data });
    if (!revived) throw notDead(known.status);
    await enqueueAsked(tx, { id: revived.id, orgId });
    const name = `${integrationName}.${triggerName}`;
    await outbox.record(tx, { id: sourceId, name, workspaceId, reason: revived.id });
    return revived;
  });
  return toWire(row);
}

function notDead(status: string): ApiError {
  return new ApiError('DUPLICATE', `The event is not delivered again: it is ${status}`, { details: { status } });
}
