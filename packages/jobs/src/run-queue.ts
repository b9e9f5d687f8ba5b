import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { describeError, type Logger } from '@drawbridge/rpc';
import { Logger as QueueLogger, run, type RunnerOptions, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { fairClaims } from './fair-claims.js';
import { holdWorkerLock } from './hold-worker-lock.js';
import type { Statements } from './statements.js';

/** Concurrent jobs in one process. A slow receiver occupies a slot for up to 15 s: ten organizations can fill their limits. */
const CONCURRENCY = 50;
/** Maximum delay of a timer. A job that is due at once starts at once. */
const POLL_MS = 2_000;

export interface QueueOptions {
  pool: Pool;
  schema: string;
  sql: Statements;
  tasks: TaskList;
  log: Logger;
}

export interface RunningQueue {
  /** Resolves when the queue has ended and recorded the results of its jobs; rejects if it failed. */
  ended: Promise<void>;
  /** Lets other processes take over the running jobs, when this process cannot wait any longer. */
  abandon(): void;
}

/**
 * Creates or migrates the queue's schema and runs due jobs until `stop` aborts: then it takes no further jobs and ends after the running ones.
 * Rejects while PostgreSQL is unavailable.
 */
export async function runQueue(options: QueueOptions, stop: AbortSignal): Promise<RunningQueue> {
  const id = randomUUID();
  const presence = await holdWorkerLock(options.pool, options.sql.lockWorker, id);
  try {
    const lost = new AbortController();
    const runner = await run(toRunnerOptions(options, id, () => lost.abort()));
    const end = AbortSignal.any([stop, lost.signal]);
    // Rejects if the queue ended by itself at the same moment.
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

/** Calls `onLost` when the queue failed before its first claim: it stores that failure permanently and must be created again. */
function toRunnerOptions({ pool, schema, tasks, log }: QueueOptions, id: string, onLost: () => void): RunnerOptions {
  let hasAsked = false;
  const onAnswer = (): void => void (hasAsked = true);
  const onProblem = (error: unknown): void => {
    log.warn({ error: describeError(error) }, 'the job queue has a problem');
    if (!hasAsked) onLost();
  };
  const events = named(id)
    .once('job:start', onAnswer)
    .once('worker:getJob:empty', onAnswer)
    // Deferred, because a worker that is stopped during this event prints the error.
    .on('worker:getJob:error', ({ error }) => void setImmediate(onProblem, error));
  return {
    pgPool: pool,
    schema,
    taskList: tasks,
    parsedCronItems: [],
    concurrency: CONCURRENCY,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: withoutTexts(onProblem),
    events,
    // The queue's own batch mode (localQueue) cannot skip jobs of an organization.
    forbiddenFlags: fairClaims(events, { pollMs: POLL_MS, places: CONCURRENCY }),
    preset: {
      worker: {
        // Without these the queue does not wait for the statement that ends a job: its failure would end the process, and a shutdown would not wait.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  };
}

/** Sets the name under which the queue claims jobs, because the worker lock uses it before the first claim. */
function named(id: string): WorkerEvents {
  return new EventEmitter().on('pool:create', ({ workerPool }) => {
    workerPool.id = id;
  });
}

/** The queue's messages quote errors and payloads, so only name, code and stack are logged. Jobs log their own failures. */
function withoutTexts(onProblem: (error: unknown) => void): QueueLogger {
  return new QueueLogger(() => (level, _, meta) => {
    if (level === 'error' && !meta?.['failure']) onProblem(meta?.['error']);
  });
}
