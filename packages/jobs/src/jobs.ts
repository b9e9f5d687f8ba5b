import { createHash, randomUUID } from 'node:crypto';
import type { Background, Logger, Metric } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { queueMetrics } from './queue-metrics.js';
import { NONE } from './organization-slots.js';
import { query, type Queryable, statements } from './statements.js';
import { type JobContext } from './attempt-and-retry.js';
import { Worker } from './worker.js';

/**
 * The work of a job. It must be idempotent, because it may run more than once, even after it succeeded. A rejection is a failed attempt. After 10
 * attempts over 75 h 35 min (`retryDelay`) the job is dead. A JobFailure can set a longer delay, or end the job earlier. A failure due to an outage
 * (`isOutage`) does not count and is retried until the outage ends. An attempt that a crash interrupts counts.
 */
export type Task<Payload> = (payload: Payload, job: JobContext) => Promise<unknown>;

type Tasks = Record<string, Task<never>>;

interface JobsOptions<T extends Tasks> {
  /** Determines the schema `<service>_queue`, which is created in the database of the pool at start. */
  service: string;
  /**
   * The service's pool, created with openDatabase. While the queue runs, it occupies one connection and enlarges the pool by one. Each statement that
   * claims or completes jobs uses one more connection.
   */
  pool: Pool;
  /** Tasks by name. A payload must be serializable as JSON. Do not rename a task while jobs of that name exist. */
  tasks: T;
  log: Logger;
}

export interface EnqueueOptions {
  /** The time at which the job becomes due, accurate to 2 s. Default: now. */
  runAt?: Date;
  /** At most one job per task and key is stored: a new job replaces an older job. The new job may run while the older job is still running. */
  key?: string;
  /**
   * The organization of the job. One process runs a limited number of its jobs of one task at the same time, and takes jobs of the organizations in
   * turn.
   */
  orgId?: string;
  /** The receiver or provider that the job calls. It has a separate concurrency limit within the organization, and a circuit breaker. */
  receiver?: string;
}

export interface WantedJob<Payload> extends EnqueueOptions {
  payload: Payload;
}

export interface Jobs<T extends Tasks> extends Background {
  /**
   * Adds a job in the transaction. The job exists after the commit. Fails if no process has ever called `start`, because the table does not exist
   * yet.
   */
  enqueue<Name extends keyof T & string>(
    tx: Queryable,
    task: Name,
    payload: Parameters<T[Name]>[0],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds many jobs in one statement. Their keys must differ. */
  enqueueAll<Name extends keyof T & string>(
    tx: Queryable,
    task: Name,
    wanted: readonly WantedJob<Parameters<T[Name]>[0]>[],
  ): Promise<void>;
  metrics: Metric[];
}

/** Creates the queue of one service, for deliveries, timers and retries. Every replica works on its jobs. A job runs in one process at a time. */
export function jobs<T extends Tasks>({ service, pool, tasks, log }: JobsOptions<T>): Jobs<T> {
  const schema = `${service}_queue`;
  const sql = statements(schema);
  const worker = new Worker({
    ...{ service, schema, pool, sql, log, tasks: Object.keys(tasks) },
    run: async ({ task, payload }, context) =>
      tasks[task]!((payload === null ? undefined : JSON.parse(payload)) as never, context),
  });
  const enqueueAll: Jobs<T>['enqueueAll'] = async (tx, task, wanted) => {
    if (wanted.length > 0) await query(tx, sql.add, task, JSON.stringify(wanted.map(toRow)));
  };
  return {
    start: () => worker.start(),
    stop: (deadline) => worker.stop(deadline),

    enqueueAll,

    enqueue: (tx, task, payload, options) => enqueueAll(tx, task, [{ ...options, payload }]),

    metrics: queueMetrics({ service, pool, sql, worker }),
  };
}

/** Converts a job to the format of the SQL statement. */
function toRow({ payload, runAt, key = randomUUID(), orgId = NONE, receiver }: WantedJob<unknown>) {
  const target = receiver === undefined ? NONE : createHash('sha256').update(receiver).digest('hex');
  return { key, org_id: orgId, target, payload: JSON.stringify(payload), run_at: runAt?.toISOString() };
}
