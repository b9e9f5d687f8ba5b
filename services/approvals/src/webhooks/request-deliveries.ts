import { ApiError, isId, notFound } from '@drawbridge/contracts';
import { toWire } from '@drawbridge/database';
import { deadDelivery, type Enqueue } from '@drawbridge/jobs';
import {
  type RedeliverWebhookRequest,
  type WebhookDelivery,
} from '@drawbridge/proto/drawbridge/approvals/v1/deliveries';
import { caller, requireInScope } from '@drawbridge/rpc';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';
import { findRequest, fromApprovalId, toApprovalId } from '../requests/approval-request.js';
import { type Needs } from '../requests/decide.js';
import { expireDue } from '../requests/expiry.js';
import { toReceiver } from './deliveries.js';

/** Maximum number of webhook deliveries in the details of an approval request. */
const SHOWN = 20;

/** Returns the webhook deliveries of an approval request, newest first. */
export async function deliveriesOf(db: Needs['db'], request: Pick<Row, 'id' | 'orgId'>): Promise<WebhookDelivery[]> {
  const where = { orgId: request.orgId, requestId: request.id };
  const rows = await db.webhookDelivery.findMany({ where, orderBy: { id: 'desc' }, take: SHOWN });
  return rows.map((row) => toWire(row));
}

interface Parts extends Pick<Needs, 'db' | 'outbox' | 'pool' | 'requireWorkspace'> {
  enqueue: Enqueue;
}

/**
 * Enqueues a dead letter (a delivery that is no longer attempted) again, with the full number of attempts. The first attempt is made immediately.
 * Throws NOT_FOUND, SCOPE_DENIED, FORBIDDEN in a suspended workspace, and DUPLICATE if the delivery is not a dead letter.
 */
export async function redeliver(
  { db, outbox, pool, enqueue, requireWorkspace }: Parts,
  { id: shown, deliveryId }: RedeliverWebhookRequest,
): Promise<WebhookDelivery> {
  const [requestId, { orgId }] = [fromApprovalId(shown), caller()];
  const { workspaceId } = await findRequest(db, requestId);
  requireInScope(workspaceId);
  await requireWorkspace(workspaceId);
  await expireDue(pool, orgId);
  const row = await db.$transaction(async (tx) => {
    const { status } = await findRequest(tx, requestId);
    const where = { id: isId(deliveryId) ? deliveryId : undefined, orgId, requestId };
    const known = isId(deliveryId) ? await tx.webhookDelivery.findFirst({ where }) : null;
    if (!known) throw notFound('Webhook delivery', deliveryId);
    const isOver = known.eventType === 'approval.requested' && status !== 'pending';
    const dead = { ...where, ...deadDelivery() };
    const data = { status: 'retrying', updatedAt: new Date() };
    const [revived] = isOver ? [] : await tx.webhookDelivery.updateManyAndReturn({ where: dead, data });
    if (!revived) throw notDead(known.status, isOver);
    await enqueue(tx, [{ id: revived.id, orgId, receiver: toReceiver(orgId, revived.callbackUrl) }]);
    await outbox.record(tx, { id: requestId, name: toApprovalId(requestId), workspaceId, reason: revived.id });
    return revived;
  });
  return toWire(row);
}

function notDead(status: string, isOver: boolean): ApiError {
  const why = isOver ? 'its request no longer needs a decision' : `it is ${status}`;
  return new ApiError('DUPLICATE', `The webhook cannot be redelivered: ${why}`, { details: { status } });
}
