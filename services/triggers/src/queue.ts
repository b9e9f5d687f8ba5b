import { type Enqueue, jobs, type Queryable, type Task } from '@drawbridge/jobs';
import { type Background } from '@drawbridge/rpc';
import { type Asked, type CallbackParts, CallbackWorker, notifyCallbacks } from './callbacks/callback-worker.js';
import { TOGETHER_MS, type Told } from './mails/disabled-mail.js';
import { type Due, type DueTask, type EnqueueDue } from './schedule/scheduler.js';

interface Tasks extends Record<DueTask, Task<Due>> {
  tellOwner: Task<Told>;
}

/** Returns the job queue of this service and the callback worker. */
export function triggersQueue(parts: CallbackParts, tasks: Tasks) {
  const { pool, log } = parts;
  const callbacks = new CallbackWorker(parts);
  const nothing = async (): Promise<void> => undefined;
  // Accepts jobs of the previous version of Drawbridge. They do nothing, because deliveries and polls now become due without jobs.
  const old = { callbacks: nothing, callback: nothing, poll: nothing };
  const all = { ...tasks, ...old, redelivery: (asked: Asked) => callbacks.redeliver(asked) };
  const queue = jobs({ service: 'triggers', pool, log, tasks: all });
  /** Notifies the callback workers of new deliveries when the transaction commits. */
  const enqueue: Enqueue = async (tx, deliveries) => void (deliveries.length > 0 && (await notifyCallbacks(tx)));
  const background: Background[] = [callbacks, queue];
  // Enqueues jobs with a receiver key for each provider and organization, so that a provider that responds slowly delays neither other providers
  // nor other organizations.
  const enqueueDue: EnqueueDue = (tx, task, due) =>
    queue.enqueueAll(
      tx,
      task,
      due.map(({ integrationName, ...payload }) => {
        const { id: key, orgId } = payload;
        return { payload, key, orgId, receiver: `${integrationName} of ${orgId}` };
      }),
    );
  return {
    enqueue,

    /** Enqueues a delivery that a user redelivers as a separate job that runs immediately. */
    async enqueueAsked(tx: Queryable, { id, orgId }: Asked): Promise<void> {
      // Redeliveries have a separate receiver key, so that a redelivery to a receiver that does not respond does not delay other callbacks. If the
      // job fails, the delivery becomes due like other deliveries.
      await queue.enqueue(tx, 'redelivery', { id, orgId }, { key: id, orgId, receiver: `redeliveries of ${orgId}` });
    },

    /** Enqueues an email to the owner of a disabled trigger. */
    enqueueMail(tx: Queryable, told: Told): Promise<void> {
      const { orgId, userId } = told;
      const runAt = new Date(Date.now() + TOGETHER_MS);
      return queue.enqueue(tx, 'tellOwner', told, { key: `${orgId} ${userId}`, orgId, runAt });
    },

    enqueueDue,
    background,
    metrics: queue.metrics,
  };
}
