import { type Enqueue, jobs, type Queryable, type Task } from '@drawbridge/jobs';
import { type Background } from '@drawbridge/rpc';
import { type Asked, callbacks } from './callbacks/callbacks.js';
import { type EnqueueCallbacks } from './callbacks/next-due.js';
import { type SenderParts } from './callbacks/sender.js';
import { TOGETHER_MS, type Told } from './mails/tell-owner.js';
import { type Due, type DueTask, type EnqueueDue } from './schedule/scheduler.js';

interface Queue {
  /** Deliveries to callbacks: one job for all that an organization has to deliver. */
  enqueue: Enqueue;
  /** A delivery that somebody asked for: by itself, at once. */
  enqueueAsked(tx: Queryable, asked: Asked): Promise<void>;
  /** A mail to whose trigger was disabled. */
  enqueueMail(tx: Queryable, told: Told): Promise<void>;
  /** What is due of a source. */
  enqueueDue: EnqueueDue;
  background: Background[];
}

interface Tasks extends Record<DueTask, Task<Due>> {
  tellOwner: Task<Told>;
}

/** The one queue of this service. */
export function triggersQueue(parts: Omit<SenderParts, 'enqueue'>, tasks: Tasks): Queue {
  const { pool, log } = parts;
  const delivering = callbacks({ ...parts, enqueue: (...due) => enqueueCallbacks(...due) });
  // `callback`: so the version before calls a job of one delivery.
  // `poll`: the version before made jobs of polls. The lease of such a source expires, and the poller takes it.
  const own = {
    ...{ callbacks: delivering.task, callback: delivering.task, redelivery: delivering.redelivery },
    poll: async (): Promise<void> => undefined,
  };
  const queue = jobs({ service: 'triggers', pool, log, tasks: { ...tasks, ...own } });
  // What is due later has a key of its own: neither takes the place of the other.
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
    // In order: two that enqueue for the same organizations wait for each other, and never in a circle.
    enqueue: (tx, deliveries) => enqueueCallbacks(tx, [...new Set(deliveries.map(({ orgId }) => orgId))].sort()),
    async enqueueAsked(tx, { id, orgId }) {
      // A lane of its own, in which a receiver that hangs is waited for. Should that come to nothing it is due as the others are.
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
