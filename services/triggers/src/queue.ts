import { type Enqueue, jobs, type Queryable, type Task } from '@drawbridge/jobs';
import { type Background, type Metric } from '@drawbridge/rpc';
import { type Asked, type CallbackParts, CallbackWorker, notifyCallbacks } from './callbacks/callback-worker.js';
import { TOGETHER_MS, type Told } from './mails/disabled-mail.js';
import { type Due, type DueTask, type EnqueueDue } from './schedule/scheduler.js';

interface Queue {
  /** Notifies the callback workers of new deliveries when the transaction commits. */
  enqueue: Enqueue;
  /** Enqueues a delivery that a user redelivers as a separate job that runs immediately. */
  enqueueAsked(tx: Queryable, asked: Asked): Promise<void>;
  /** Enqueues an email to the owner of a disabled trigger. */
  enqueueMail(tx: Queryable, told: Told): Promise<void>;
  enqueueDue: EnqueueDue;
  background: Background[];
  metrics: Metric[];
}

interface Tasks extends Record<DueTask, Task<Due>> {
  tellOwner: Task<Told>;
}

/** Returns the job queue of this service and the callback worker. */
export function triggersQueue(parts: CallbackParts, tasks: Tasks): Queue {
  const { pool, log } = parts;
  const callbacks = new CallbackWorker(parts);
  const nothing = async (): Promise<void> => undefined;
  // Accepts jobs of the previous version of Drawbridge. They do nothing, because deliveries and polls now become due without jobs.
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
      // Redeliveries have a separate receiver key, so that a redelivery to a receiver that does not respond does not delay other callbacks. If the
      // job fails, the delivery becomes due like other deliveries.
      await queue.enqueue(tx, 'redelivery', { id, orgId }, { key: id, orgId, receiver: `redeliveries of ${orgId}` });
    },
    enqueueMail(tx, told) {
      const { orgId, userId } = told;
      const runAt = new Date(Date.now() + TOGETHER_MS);
      return queue.enqueue(tx, 'tellOwner', told, { key: `${orgId} ${userId}`, orgId, runAt });
    },
    // Enqueues jobs with a receiver key for each provider and organization, so that a provider that responds slowly delays neither other providers
    // nor other organizations.
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
