import { type Enqueue, jobs, type Queryable, type Task } from '@drawbridge/jobs';
import { type Background } from '@drawbridge/rpc';
import { type Asked, callbacks } from './callbacks/callbacks.js';
import { type EnqueueCallbacks } from './callbacks/next-due.js';
import { type SenderParts } from './callbacks/sender.js';
import { TOGETHER_MS, type Told } from './mails/disabled-mail.js';
import { type Due, type DueTask, type EnqueueDue } from './schedule/scheduler.js';

interface Queue {
  /** Enqueues callbacks: one job for all that an organization has to deliver. */
  enqueue: Enqueue;
  /** Enqueues a redelivery, which has a job of its own and runs immediately. */
  enqueueAsked(tx: Queryable, asked: Asked): Promise<void>;
  /** Enqueues a mail to the owner of a disabled trigger. */
  enqueueMail(tx: Queryable, told: Told): Promise<void>;
  enqueueDue: EnqueueDue;
  background: Background[];
}

interface Tasks extends Record<DueTask, Task<Due>> {
  tellOwner: Task<Told>;
}

/** Returns the job queue of this service. */
export function triggersQueue(parts: Omit<SenderParts, 'enqueue'>, tasks: Tasks): Queue {
  const { pool, log } = parts;
  const delivering = callbacks({ ...parts, enqueue: (...due) => enqueueCallbacks(...due) });
  // `callback` is the name of the previous version's jobs, one for each delivery. `poll` is one too: the lease of such a source expires, and the
  // poller takes it.
  const own = {
    ...{ callbacks: delivering.task, callback: delivering.task, redelivery: delivering.redelivery },
    poll: async (): Promise<void> => undefined,
  };
  const queue = jobs({ service: 'triggers', pool, log, tasks: { ...tasks, ...own } });
  // Jobs for now and for later have different keys, so that neither replaces the other.
  const enqueueCallbacks: EnqueueCallbacks = (tx, orgIds, runAt) =>
    queue.enqueueAll(
      tx,
      'callbacks',
      orgIds.map((orgId) => {
        const key = runAt ? `${orgId} later` : orgId;
        return { payload: { orgId }, key, orgId, receiver: `callbacks of ${orgId}`, runAt };
      }),
    );
  return {
    // Sorted, so that two transactions that enqueue for the same organizations cannot deadlock.
    enqueue: (tx, deliveries) => enqueueCallbacks(tx, [...new Set(deliveries.map(({ orgId }) => orgId))].sort()),
    async enqueueAsked(tx, { id, orgId }) {
      // A redelivery has its own receiver key, so that waiting for a hanging receiver delays no other callback. If the job fails, the delivery is due
      // like the others.
      await queue.enqueue(tx, 'redelivery', { id, orgId }, { key: id, orgId, receiver: `redeliveries of ${orgId}` });
      await enqueueCallbacks(tx, [orgId]);
    },
    enqueueMail(tx, told) {
      const { orgId, userId } = told;
      const runAt = new Date(Date.now() + TOGETHER_MS);
      return queue.enqueue(tx, 'tellOwner', told, { key: `${orgId} ${userId}`, orgId, runAt });
    },
    // A provider that is slow to answer delays neither the callbacks of its organization nor its other providers.
    enqueueDue: (tx, task, due) =>
      queue.enqueueAll(
        tx,
        task,
        due.map(({ integrationName, ...one }) => {
          const receiver = `${integrationName} of ${one.orgId}`;
          return { payload: one, key: one.id, orgId: one.orgId, receiver };
        }),
      ),
    background: [delivering.background, queue],
  };
}
