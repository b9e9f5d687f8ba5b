import { type Enqueue, jobs, type JobsOptions, type Queryable, type Task, type Wanted } from '@drawbridge/jobs';
import { type Background } from '@drawbridge/rpc';
import { TOGETHER_MS, type Told } from './mails/tell-owner.js';
import { type Due, type DueTask, type EnqueueDue } from './schedule/scheduler.js';

interface Queue {
  /** A delivery to a callback. */
  enqueue: Enqueue;
  /** A mail to whose trigger was disabled. */
  enqueueMail(tx: Queryable, told: Told): Promise<void>;
  /** What is due of a source. */
  enqueueDue: EnqueueDue;
  background: Background;
}

interface Tasks extends Record<DueTask, Task<Due>> {
  callback: Task<Wanted>;
  tellOwner: Task<Told>;
}

/** The one queue of this service. */
export function triggersQueue({ pool, log }: Pick<JobsOptions<{}>, 'pool' | 'log'>, tasks: Tasks): Queue {
  const queue = jobs({ service: 'triggers', pool, log, tasks: { ...tasks } });
  return {
    enqueue: (tx, deliveries) =>
      queue.enqueueAll(
        tx,
        'callback',
        deliveries.map(({ id, orgId, receiver }) => ({ payload: { id, orgId }, key: id, orgId, receiver })),
      ),
    enqueueMail(tx, told) {
      const { orgId, userId } = told;
      const runAt = new Date(Date.now() + TOGETHER_MS);
      return queue.enqueue(tx, 'tellOwner', told, { key: `${orgId} ${userId}`, orgId, runAt });
    },
    // One share: third parties that are slow to answer leave room for the callbacks of their organization.
    enqueueDue: (tx, task, due) =>
      queue.enqueueAll(
        tx,
        task,
        due.map((one) => ({ payload: one, key: one.id, orgId: one.orgId, receiver: `third parties of ${one.orgId}` })),
      ),
    background: queue,
  };
}
