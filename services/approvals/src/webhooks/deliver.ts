import { type Egress } from '@drawbridge/egress';
import {
  attemptDelivery,
  begunDelivery,
  deliverWebhook,
  type JobContext,
  type Noted,
  notedDelivery,
  openDelivery,
  type Task,
  type TimedResult,
  type Wanted,
} from '@drawbridge/jobs';
import { type WebhookSecretServiceDefinition } from '@drawbridge/proto/drawbridge/connections/v1/webhook_secrets';
import { type Client } from '@drawbridge/rpc';
import {
  type ApprovalRequest as RequestRow,
  type PrismaClient as Db,
  type WebhookDelivery as Row,
} from '../gen/prisma/client.js';
import { type LinkKeeper } from '../requests/approval-links.js';
import { isPending, toApprovalId } from '../requests/approval-request.js';
import { notificationOf, payloadOf, type ToldCall } from './payload.js';

export interface DeliveryParts {
  db: Db;
  egress: Pick<Egress, 'sendFor'>;
  /** Signs webhooks in the service `connections`, which stores the signing secrets. */
  vault: Pick<Client<WebhookSecretServiceDefinition>, 'signWebhook'>;
  links: LinkKeeper;
  baseUrl: string;
}

/** A pending webhook delivery and its approval request. `request` is null for a notification about a call that did not wait. */
interface Open {
  row: Row;
  request: RequestRow | null;
}

/** Makes one attempt to deliver a webhook, and records it before and after. Skips a delivery that has ended or belongs to a deleted workspace. */
export function deliveryTask(parts: DeliveryParts): Task<Wanted> {
  return async (wanted, job) => {
    const { db } = parts;
    const open = await findOpen(db, wanted);
    if (!open) return;
    await attemptDelivery({ job, send: () => send(parts, open, job), note: (noted) => note(db, open.row, noted) });
  };
}

async function findOpen(db: Db, wanted: Wanted): Promise<Open | undefined> {
  const row = await db.webhookDelivery.findFirst({ where: openDelivery(wanted) });
  if (!row) return undefined;
  const { orgId, requestId } = row;
  if (requestId === null) return { row, request: null };
  const request = await db.approvalRequest.findFirst({ where: { id: requestId, orgId } });
  return request ? { row, request } : undefined;
}

/** Returns true if the webhook requests a decision on an approval request that is already decided or expired. */
async function isTooLate(db: Db, { row, request }: Open): Promise<boolean> {
  return row.eventType === 'approval.requested' && request !== null && !(await isPending(db, request));
}

/**
 * Signs the webhook first, because a failure to sign does not count as an attempt. Checks as the last step whether a decision is still needed,
 * because signing takes time. Returns undefined if the delivery has ended in the meantime.
 */
async function send(
  { db, egress, vault, links, baseUrl }: DeliveryParts,
  open: Open,
  { signal }: JobContext,
): Promise<TimedResult | undefined> {
  const { row, request } = open;
  const { id, orgId, eventType, callbackUrl: url } = row;
  const body = request
    ? payloadOf(row, request, links.linksTo(request), baseUrl)
    : notificationOf(row, row.facts as unknown as ToldCall);
  const { headers: signature } = await vault.signWebhook({ id, orgId, body }, { signal });
  if (await isTooLate(db, open)) return end(db, row);
  signal.throwIfAborted();
  const [now] = await db.webhookDelivery.updateManyAndReturn({ where: openDelivery(row), data: begunDelivery() });
  if (!now) return undefined;
  row.attempt = now.attempt;
  const headers = {
    'X-Svc-Event': eventType,
    'X-Svc-Delivery': id,
    'X-Svc-Attempt': `${now.attempt}`,
    ...(request && { 'X-Svc-Approval': toApprovalId(request.id) }),
  };
  return deliverWebhook({ send: egress.sendFor(orgId), url, body, headers, signature, signal });
}

async function end(db: Db, row: Row): Promise<undefined> {
  const errorMessage = 'The request was decided or expired before the webhook was delivered';
  await note(db, row, { status: 'failed', httpStatus: row.httpStatus, errorMessage });
}

/**
 * Records the result of an attempt. Records a failure only if no later attempt has begun, so that a process with an expired lease does not overwrite
 * the state of a later attempt.
 */
async function note(db: Db, row: Row, noted: Noted): Promise<void> {
  const where = { ...openDelivery(row), attempt: noted.status === 'success' ? undefined : row.attempt };
  await db.webhookDelivery.updateMany({ where, data: notedDelivery(noted) });
}
