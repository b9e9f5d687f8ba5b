import { type Effects } from '@drawbridge/events';
import { jobs } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { deliverChanges, deliverNotifications, type Enqueue } from './deliveries.js';
import { type DeliveryParts, deliveryTask } from './deliver.js';

export interface Webhooks {
  enqueue: Enqueue;
  consumers: Effects;
  background: Background;
}

/**
 * What the webhooks of policies are told. This service listens to its own events: a call that is held up waits for no delivery to be written
 * down, and what many are told of does not hold up the transaction in which it happened.
 */
export function webhooks({ pool, log, ...parts }: DeliveryParts & { pool: Pool; log: Logger }): Webhooks {
  const queue = jobs({ service: 'approvals', pool, log, tasks: { webhook: deliveryTask(parts) } });
  const enqueue: Enqueue = (tx, { id, orgId }) => queue.enqueue(tx, 'webhook', { id, orgId }, { key: id, orgId });
  const changes = deliverChanges(enqueue);
  return {
    enqueue,
    consumers: {
      approvalRequested: changes,
      approvalApproved: changes,
      approvalRejected: changes,
      approvalCanceled: changes,
      approvalExpired: changes,
      approvalNotified: deliverNotifications(enqueue),
    },
    background: queue,
  };
}
