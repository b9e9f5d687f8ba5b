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
    const lost = new AbortController();
    const runner = await run(toRunnerOptions(options, id, () => lost.abort()));
    const end = AbortSignal.any([stop, lost.signal]);
    // Rejects when the queue has ended by itself in the same moment.
    const onEnd = (): void => void runner.stop().catch(() => undefined);
    if (end.aborted) onEnd();
    end.addEventListener('abort', onEnd);
    const ended = runner.promise.finally(() => {
      end.removeEventListener('abort', onEnd);
      presence.release();
    });
    return { ended, abandon: () => presence.release() };
  } catch (error) {
    presence.release();
    throw error;
  }
}

/** `onLost` is called when the queue could not even begin to ask for jobs: it keeps that failure for good, and must be made anew. */
function toRunnerOptions({ pool, schema, tasks, log }: QueueOptions, id: string, onLost: () => void): RunnerOptions {
  let hasAsked = false;
  const onProblem = (): void => void (hasAsked || onLost());
  const events: WorkerEvents = named(id).once('localQueue:getJobs:complete', () => (hasAsked = true));
  return {
    pgPool: pool,
    schema,
    taskList: tasks,
    parsedCronItems: [],
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: withoutTexts(log, onProblem),
    events,
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
function withoutTexts(log: Logger, onProblem: () => void): QueueLogger {
  return new QueueLogger(() => (level, _, meta) => {
    if (level !== 'error' || meta?.['failure']) return;
    onProblem();
    log.warn({ error: describeError(meta?.['error']) }, 'the job queue has a problem');
  });
}
