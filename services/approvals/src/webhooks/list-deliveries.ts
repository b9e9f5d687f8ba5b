import { toWire } from '@drawbridge/database';
import { type WebhookDelivery } from '@drawbridge/proto/drawbridge/approvals/v1/deliveries';
import { type PrismaClient as Db, type WebhookDelivery as Row } from '../gen/prisma/client.js';

/** Maximum number of webhook deliveries in the details of an approval request. */
const SHOWN = 20;

/** Returns the webhook deliveries of an approval request, newest first. */
export async function deliveriesOf(db: Db, { id: requestId, orgId }: { id: string; orgId: string }) {
  const rows = await db.webhookDelivery.findMany({
    where: { orgId, requestId },
    orderBy: { id: 'desc' },
    take: SHOWN,
  });
  return rows.map(toDelivery);
}

export function toDelivery(row: Row): WebhookDelivery {
  return toWire(row);
}
