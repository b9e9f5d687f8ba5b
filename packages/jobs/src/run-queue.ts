import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { describeError, type Logger } from '@drawbridge/rpc';
import { Logger as QueueLogger, run, type RunnerOptions, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { holdWorkerLock } from './hold-worker-lock.js';
import type { Statements } from './statements.js';

/** Jobs at work at once, in one process. A slow receiver holds one for up to 15 s. */
const CONCURRENCY = 20;
/** How late a timer may be. A job that is due at once is picked up at once. */
const POLL_MS = 2_000;

export interface QueueOptions {
  pool: Pool;
  schema: string;
  sql: Statements;
  tasks: TaskList;
  log: Logger;
}

export interface RunningQueue {
  /** Settles when the queue has ended and what was at work is written down; rejects when it gave up. */
  ended: Promise<void>;
  /** Lets others take over what is still at work, for a process that can wait no longer. */
  abandon(): void;
}

/**
 * Makes or migrates the queue's schema and works on what is due until `stop` aborts: then it takes no further job and ends
 * with those at work. Rejects while PostgreSQL is away.
 */
export async function runQueue(options: QueueOptions, stop: AbortSignal): Promise<RunningQueue> {
  const id = randomUUID();
  const presence = await holdWorkerLock(options.pool, options.sql.lockWorker, id);
  try {
    const runner = await run(toRunnerOptions(options, id));
    // Rejects when the queue has ended by itself in the same moment.
    const onStop = (): void => void runner.stop().catch(() => undefined);
    if (stop.aborted) onStop();
    stop.addEventListener('abort', onStop);
    const ended = runner.promise.finally(() => {
      stop.removeEventListener('abort', onStop);
      presence.release();
    });
    return { ended, abandon: () => presence.release() };
  } catch (error) {
    presence.release();
    throw error;
  }
}

function toRunnerOptions({ pool, schema, tasks, log }: QueueOptions, id: string): RunnerOptions {
  return {
    pgPool: pool,
    schema,
    taskList: tasks,
    parsedCronItems: [],
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: withoutTexts(log),
    events: named(id),
    preset: {
      worker: {
        // One poll for all, not one for each of the 20; no more than one job is claimed ahead.
        localQueue: { size: 1 },
        // Without these the queue does not wait for the statement that ends a job: its failure would end the process,
        // and the end of the queue would not wait for it.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  };
}

/** The queue makes up the name under which it claims jobs; ours is announced before the first claim. */
function named(id: string): WorkerEvents {
  return new EventEmitter().on('pool:create', ({ workerPool }) => {
    workerPool.id = id;
  });
}

/** The queue's texts quote errors and payloads: only name, code and stack are kept. Jobs log their failures themselves. */
function withoutTexts(log: Logger): QueueLogger {
  return new QueueLogger(() => (level, _, meta) => {
    if (level !== 'error' || meta?.['failure']) return;
    log.warn({ error: describeError(meta?.['error']) }, 'the job queue has a problem');
  });
}
