import { randomUUID } from 'node:crypto';
import type { Background, Logger } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';
import { flagsOf } from './fair-claims.js';
import { slowReceivers } from './put-off.js';
import { runTask, type StoredPayload } from './run-task.js';
import { query, type Queryable, statements } from './statements.js';
import { worker } from './worker.js';

/**
 * The work of a job. It may run more than once, even after it succeeded, so it must be idempotent. A rejection is a failed attempt: after 10
 * attempts over 75 h 35 min (`retryDelay`) the job is dead. A JobFailure can change that. A failure by an outage (`isOutage`) is not counted, and is
 * retried until the outage ends.
 */
export type Task<Payload> = (payload: Payload, job: { attempt: number }) => Promise<unknown>;

/** One connection holds the worker lock, one listens for new jobs. */
const KEPT_CONNECTIONS = 2;

type Tasks = Record<string, Task<never>>;

export interface JobsOptions<T extends Tasks> {
  /** Names the schema `<service>_jobs`, created in the pool's database at start. */
  service: string;
  /** The service's pool. The queue holds two connections while it runs, and enlarges the pool by two; each claim or end of a job takes one more. */
  pool: Pool;
  /** Tasks by name. A payload is JSON. Keep a name while jobs of that name wait. */
  tasks: T;
  log: Logger;
}

export interface EnqueueOptions {
  /** Default: now. A later time is accurate to 2 s. */
  runAt?: Date;
  /** At most one job per task and key waits: a new job replaces a waiting or dead one, or follows a running one. */
  key?: string;
  /** The organization of the job: at most 5 of its jobs run at once in one process. Its other jobs wait without blocking other jobs. */
  orgId?: string;
  /** The receiver of the job: at most 2 of its jobs run at once in one process. */
  receiver?: string;
}

export interface WantedJob<Payload> extends EnqueueOptions {
  payload: Payload;
}

export interface DeadJob {
  id: string;
  task: string;
  payload: unknown;
  /** The error of the last failed attempt; null if the process crashed in each attempt. */
  error: string | null;
  failedAt: Date;
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
  /** Returns the 100 most recent dead jobs, which are kept for 30 days. */
  dead(): Promise<DeadJob[]>;
  /** Resets the attempts of a dead job and runs it at once. Returns false if there is no dead job with this id. */
  redeliver(tx: Queryable, id: string): Promise<boolean>;
}

/** Durable timers and retries of one service. Every replica works on them; a job runs in one process at a time. */
export function jobs<T extends Tasks>({ service, pool, tasks, log }: JobsOptions<T>): Jobs<T> {
  const schema = `${service}_jobs`;
  const sql = statements(schema);
  const noteTime = slowReceivers({ pool, sql, log });
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, run]) => [name, runTask(name, run, { pool, sql, log, noteTime })]),
  );
  const enqueueAll: Jobs<T>['enqueueAll'] = async (tx, task, wanted) => {
    const left = await add(tx, task, wanted.map(toRow(task)));
    // The queue adds nothing if the job to replace is being claimed at that moment. A second try can then follow it.
    const refused = await add(tx, task, left);
    if (refused.length > 0) throw new Error(`${refused.length} jobs ${task} could not be added`);
  };
  /** Returns the rows that were not added. */
  async function add(tx: Queryable, task: string, rows: readonly Row[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    const added = await query<{ key: string }>(tx, sql.add, task, JSON.stringify(rows));
    const keys = new Set(added.map(({ key }) => key));
    return rows.filter(({ key }) => !keys.has(key));
  }
  surviveBrokenConnections(pool);
  // Four queues share the pool of a process: without this, the connections that they hold would leave two for queries.
  pool.options.max += KEPT_CONNECTIONS;
  return {
    ...worker({ pool, schema, sql, tasks: taskList, log }),

    enqueueAll,

    enqueue: (tx, task, payload, options) => enqueueAll(tx, task, [{ ...options, payload }]),

    dead: () => query<DeadJob>(pool, sql.listDead),

    redeliver: async (tx, id) => (await query(tx, sql.revive, id)).length > 0,
  };
}

/** A job in the format of the SQL statement. */
interface Row {
  payload: string;
  run_at: string | undefined;
  key: string;
  flags: string[] | null;
}

function toRow(task: string) {
  return ({ payload, runAt, key = randomUUID(), orgId, receiver }: WantedJob<unknown>): Row => {
    const stored: StoredPayload = { data: payload };
    return {
      payload: JSON.stringify(stored),
      run_at: runAt?.toISOString(),
      key: `${task}:${key}`,
      flags: flagsOf(orgId, receiver),
    };
  };
}

/**
 * A checked-out connection that breaks emits an error event, which without a listener would end the process. The queue adds no listener to a pool
 * that it does not own. The next query on such a connection fails.
 */
function surviveBrokenConnections(pool: Pool): void {
  const listen = (client: PoolClient): void => void client.off('error', ignore).on('error', ignore);
  pool.on('connect', listen).on('acquire', listen);
}

function ignore(): void {}
