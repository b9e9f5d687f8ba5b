import { type Enqueue, jobs, type Queryable, type Task } from '@drawbridge/jobs';
import { type Background, type Metric } from '@drawbridge/rpc';
import { type Asked, type CallbackParts, CallbackWorker, notifyCallbacks } from './callbacks/callback-worker.js';
import { TOGETHER_MS, type Told } from './mails/disabled-mail.js';
import { type Due, type DueTask, type EnqueueDue } from './schedule/scheduler.js';

interface Queue {
  /** Has the callbacks of new deliveries begin when the transaction commits. */
  enqueue: Enqueue;
  /** Enqueues a redelivery, which has a job of its own and runs immediately. */
  enqueueAsked(tx: Queryable, asked: Asked): Promise<void>;
  /** Enqueues a mail to the owner of a disabled trigger. */
  enqueueMail(tx: Queryable, told: Told): Promise<void>;
  enqueueDue: EnqueueDue;
  background: Background[];
  metrics: Metric[];
}

interface Tasks extends Record<DueTask, Task<Due>> {
  tellOwner: Task<Told>;
}

/** Returns the job queue of this service, and the worker of callbacks. */
export function triggersQueue(parts: CallbackParts, tasks: Tasks): Queue {
  const { pool, log } = parts;
  const callbacks = new CallbackWorker(parts);
  const nothing = async (): Promise<void> => undefined;
  // Names of the previous version's jobs: its deliveries and polls become due without them.
  const old = { callbacks: nothing, callback: nothing, poll: nothing };
  const queue = jobs({
    service: 'triggers',
    pool,
    log,
    tasks: { ...tasks, ...old, redelivery: (asked: Asked) => callbacks.redeliver(asked) },
  });
  return {
    enqueue: async (tx, deliveries) => void (deliveries.length > 0 && (await notifyCallbacks(tx))),
    async enqueueAsked(tx, { id, orgId }) {
      // A redelivery has its own receiver key, so that waiting for a hanging receiver delays no other callback. If the job fails, the delivery is due
      // like the others.
      await queue.enqueue(tx, 'redelivery', { id, orgId }, { key: id, orgId, receiver: `redeliveries of ${orgId}` });
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
    background: [callbacks, queue],
    metrics: queue.metrics,
  };
}
