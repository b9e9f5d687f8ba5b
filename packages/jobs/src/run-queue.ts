import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { describeError, type Logger } from '@drawbridge/rpc';
import { Logger as QueueLogger, run, type RunnerOptions, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Pool } from 'pg';
import { fairClaims } from './fair-claims.js';
import { holdWorkerLock } from './hold-worker-lock.js';
import type { Statements } from './statements.js';

/** Jobs at work at once, in one process. A slow receiver holds one for up to 15 s: of ten organizations, each with its share. */
const CONCURRENCY = 50;
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
  const onAnswer = (): void => void (hasAsked = true);
  const onProblem = (error: unknown): void => {
    log.warn({ error: describeError(error) }, 'the job queue has a problem');
    if (!hasAsked) onLost();
  };
  const events = named(id)
    .once('job:start', onAnswer)
    .once('worker:getJob:empty', onAnswer)
    // Later: a worker that is ended while it says so prints the error.
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
    // The queue's own way to ask once for all its workers (localQueue) leaves out nobody's jobs.
    forbiddenFlags: fairClaims(events, { pollMs: POLL_MS, places: CONCURRENCY }),
    preset: {
      worker: {
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
function withoutTexts(onProblem: (error: unknown) => void): QueueLogger {
  return new QueueLogger(() => (level, _, meta) => {
    if (level === 'error' && !meta?.['failure']) onProblem(meta?.['error']);
  });
}
