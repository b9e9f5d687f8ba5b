import { createHash, randomUUID } from 'node:crypto';
import type { Background, Logger, Metric } from '@drawbridge/rpc';
import type { Pool } from 'pg';
import { queueMetrics } from './queue-metrics.js';
import { NONE } from './slots.js';
import { query, type Queryable, statements } from './statements.js';
import { type JobContext } from './run-attempt.js';
import { Worker } from './worker.js';

/**
 * The work of a job. It may run more than once, even after it succeeded, so it must be idempotent. A rejection is a failed attempt: after 10
 * attempts over 75 h 35 min (`retryDelay`) the job is dead. A JobFailure can change that. A failure by an outage (`isOutage`) is not counted, and is
 * retried until the outage ends. An attempt that a crash cuts short counts.
 */
export type Task<Payload> = (payload: Payload, job: JobContext) => Promise<unknown>;

type Tasks = Record<string, Task<never>>;

interface JobsOptions<T extends Tasks> {
  /** Names the schema `<service>_queue`, created in the pool's database at start. */
  service: string;
  /**
   * The service's pool, of openDatabase. The queue holds one connection while it runs, and enlarges the pool by one; each claim or end of jobs takes
   * one more.
   */
  pool: Pool;
  /** Tasks by name. A payload is JSON. Keep a name while jobs of that name wait. */
  tasks: T;
  log: Logger;
}

export interface EnqueueOptions {
  /** Default: now. A later time is accurate to 2 s. */
  runAt?: Date;
  /** At most one job per task and key is stored: a new job replaces an older one. It does not wait until one that runs has ended. */
  key?: string;
  /** The organization of the job: a limited number of its jobs of one task run at once in one process, and organizations take turns. */
  orgId?: string;
  /** The receiver or provider that the job calls: it has its own limit within the organization, and a circuit breaker. */
  receiver?: string;
}

export interface WantedJob<Payload> extends EnqueueOptions {
  payload: Payload;
}

export interface Jobs<T extends Tasks> extends Background {
  /** Adds a job in the given transaction; it exists after the commit. Fails before the first `start` ever. */
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

/** Deliveries, timers and retries of one service. Every replica works on them; a job runs in one process at a time. */
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
