import { randomUUID } from 'node:crypto';
import type { Background, Logger } from '@drawbridge/rpc';
import type { Pool, PoolClient } from 'pg';
import { flagsOf } from './fair-claims.js';
import { slowReceivers } from './put-off.js';
import { runTask, type StoredPayload } from './run-task.js';
import { query, type Queryable, statements } from './statements.js';
import { worker } from './worker.js';

/**
 * What a job does. It may run more than once, even after it has ended well, so its effect must bear that. A rejection is
 * a failed attempt: there are 10 over 75 h 35 min (`retryDelay`), then the job is dead. A JobFailure says more. What failed
 * because something of ours is away (`isOutage`) is no attempt: it is made again until that is back.
 */
export type Task<Payload> = (payload: Payload, job: { attempt: number }) => Promise<unknown>;

/** That says that the worker lives, and that hears of new jobs. */
const KEPT_CONNECTIONS = 2;

type Tasks = Record<string, Task<never>>;

export interface JobsOptions<T extends Tasks> {
  /** Names the schema `<service>_jobs`, made in the pool's database at start. */
  service: string;
  /**
   * Shared with the service. Two connections are kept for as long as it runs, by which the pool grows; one more is taken for each job while it
   * is claimed or ended.
   */
  pool: Pool;
  /** By name. A payload is JSON. A name must stay while jobs of that name wait. */
  tasks: T;
  log: Logger;
}

export interface EnqueueOptions {
  /** Default now. A later time is kept to within 2 s. */
  runAt?: Date;
  /** Of the task's jobs with one key at most one waits: a new one replaces it, or the dead one, or follows the one at work. */
  key?: string;
  /** Whose it is: of one organization 5 are at work at once in one process, and the others wait without being in anybody's way. */
  orgId?: string;
  /** Whom it is for: of one receiver 2 are at work at once in one process. */
  receiver?: string;
}

export interface WantedJob<Payload> extends EnqueueOptions {
  payload: Payload;
}

export interface DeadJob {
  id: string;
  task: string;
  payload: unknown;
  /** Of the last failed attempt; null when the process died in each. */
  error: string | null;
  failedAt: Date;
}

export interface Jobs<T extends Tasks> extends Background {
  /** Adds a job in the given transaction: it exists when that commits. Before the first `start` of all it fails. */
  enqueue<Name extends keyof T & string>(
    tx: Queryable,
    task: Name,
    payload: Parameters<T[Name]>[0],
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Adds many in one statement. No two of them have the same key. */
  enqueueAll<Name extends keyof T & string>(
    tx: Queryable,
    task: Name,
    wanted: readonly WantedJob<Parameters<T[Name]>[0]>[],
  ): Promise<void>;
  /** The 100 that died last, kept for 30 days. */
  dead(): Promise<DeadJob[]>;
  /** Gives a dead job all its attempts again, the first at once. False when there is none of that id. */
  redeliver(tx: Queryable, id: string): Promise<boolean>;
}

/** Durable timers and retries of one service; every replica works on them, a job in one place at a time. */
export function jobs<T extends Tasks>({ service, pool, tasks, log }: JobsOptions<T>): Jobs<T> {
  const schema = `${service}_jobs`;
  const sql = statements(schema);
  const noteTime = slowReceivers({ pool, sql, log });
  const taskList = Object.fromEntries(
    Object.entries(tasks).map(([name, run]) => [name, runTask(name, run, { pool, sql, log, noteTime })]),
  );
  const enqueueAll: Jobs<T>['enqueueAll'] = async (tx, task, wanted) => {
    const left = await add(tx, task, wanted.map(toRow(task)));
    // The queue adds nothing where a job to be replaced is claimed in that very moment; then it can be followed.
    const refused = await add(tx, task, left);
    if (refused.length > 0) throw new Error(`${refused.length} jobs ${task} could not be added`);
  };
  /** Answers those that were not. */
  async function add(tx: Queryable, task: string, rows: readonly Row[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    const added = await query<{ key: string }>(tx, sql.add, task, JSON.stringify(rows));
    const keys = new Set(added.map(({ key }) => key));
    return rows.filter(({ key }) => !keys.has(key));
  }
  surviveBrokenConnections(pool);
  // Four queues share a process and its pool: without it what they keep would leave two for all that is asked.
  pool.options.max += KEPT_CONNECTIONS;
  return {
    ...worker({ pool, schema, sql, tasks: taskList, log }),

    enqueueAll,

    enqueue: (tx, task, payload, options) => enqueueAll(tx, task, [{ ...options, payload }]),

    dead: () => query<DeadJob>(pool, sql.listDead),

    redeliver: async (tx, id) => (await query(tx, sql.revive, id)).length > 0,
  };
}

/** As the statement reads it. */
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
 * A connection that breaks while it is checked out says so by an event, which unheard would end the process. The queue
 * does not listen on a pool that it is given. What is asked of such a connection next fails.
 */
function surviveBrokenConnections(pool: Pool): void {
  const listen = (client: PoolClient): void => void client.off('error', ignore).on('error', ignore);
  pool.on('connect', listen).on('acquire', listen);
}

function ignore(): void {}
