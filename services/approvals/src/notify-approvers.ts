import { type EventOf } from '@drawbridge/events';
import { type Enqueue, jobs } from '@drawbridge/jobs';
import { type Background, type Logger } from '@drawbridge/rpc';
import { type Pool, type PoolClient } from 'pg';
import {
  type Addressed,
  type Asked,
  askPeople,
  mailApproval,
  type MailParts,
  noticeRequests,
} from './mails/ask-people.js';
import { type DeliveryParts, deliveryTask } from './webhooks/deliver.js';
import { deliverChanges, deliverNotifications } from './webhooks/deliveries.js';

/**
 * Delivers webhooks and emails to the approvers of policies. The service consumes its own events for this, so that neither a waiting call nor the
 * transaction that changes a request waits until all deliveries are enqueued.
 */
export function telling({ pool, log, ...parts }: DeliveryParts & MailParts & { pool: Pool; log: Logger }) {
  const its = { ...parts, log };
  const tasks = { webhook: deliveryTask(its), askPeople: askPeople(its, enqueueMail), approvalMail: mailApproval(its) };
  const queue = jobs({ service: 'approvals', pool, log, tasks });
  const background: Background = queue;
  /** Enqueues deliveries to webhooks. */
  const enqueue: Enqueue = (tx, deliveries) =>
    queue.enqueueAll(
      tx,
      'webhook',
      deliveries.map(({ id, orgId, receiver }) => ({ payload: { id, orgId }, key: id, orgId, receiver })),
    );
  function enqueueMail(tx: Parameters<Enqueue>[0], addressed: Addressed): Promise<void> {
    const { id, orgId, mailId } = addressed;
    // The queue limits concurrent jobs per receiver. Emails have a receiver of their own, so that a slow mail server does not occupy the slots of the
    // organization's webhooks.
    const options = { key: `${id} ${mailId}`, orgId, receiver: `mails of ${orgId}` };
    return queue.enqueue(tx, 'approvalMail', addressed, options);
  }
  const changes = deliverChanges(enqueue);
  const ask = noticeRequests((tx, asked: Asked) =>
    queue.enqueue(tx, 'askPeople', asked, { key: asked.id, orgId: asked.orgId }),
  );
  return {
    enqueue,
    consumers: {
      async approvalRequested(events: EventOf<'approvalRequested'>[], tx: PoolClient) {
        await changes(events, tx);
        if (parts.mail) await ask(events, tx);
      },
      approvalApproved: changes,
      approvalRejected: changes,
      approvalCanceled: changes,
      approvalExpired: changes,
      approvalNotified: deliverNotifications(enqueue),
    },
    background,
    metrics: queue.metrics,
  };
}
