import { describeError, isOutage, type Logger } from '@drawbridge/rpc';
import type { JobHelpers } from 'graphile-worker';
import type { Pool } from 'pg';
import { JobFailure } from './job-failure.js';
import type { NoteTime } from './put-off.js';
import { retryDelay } from './retry-delay.js';
import { query, type Statements } from './statements.js';

/** Delay after an outage. Longer from the third attempt on, see `delay` in statements.ts. */
const OUTAGE_MS = 5_000;

/** The stored payload of `enqueue`. Wrapped in an object, because the queue would join two arrays under one key. */
export interface StoredPayload<Data = unknown> {
  data: Data;
}

interface Options {
  pool: Pool;
  sql: Statements;
  log: Logger;
  noteTime: NoteTime;
}

/** Wraps a task for the queue. On failure it first schedules the next attempt, or marks the job dead, then rethrows with a safe text to store. */
export function runTask(
  name: string,
  run: (data: never, job: { attempt: number }) => Promise<unknown>,
  options: Options,
) {
  return async (stored: unknown, { job }: JobHelpers): Promise<void> => {
    const begunAt = performance.now();
    try {
      await run((stored as StoredPayload<never>).data, { attempt: job.attempts });
    } catch (error) {
      await schedule(job, name, error, options);
      throw new Error(describe(error));
    } finally {
      await options.noteTime(job, performance.now() - begunAt);
    }
  };
}

async function schedule(
  job: JobHelpers['job'],
  call: string,
  error: unknown,
  { pool, sql, log }: Options,
): Promise<void> {
  const line = { call, attempt: job.attempts, error: describeError(error) };
  const isSpent = !isOutage(error);
  const delayMs = isSpent ? delayAfter(job.attempts, error) : OUTAGE_MS;
  log[error instanceof JobFailure ? 'info' : 'warn'](line, delayMs === undefined ? 'a job is dead' : 'a job failed');
  try {
    if (delayMs === undefined) await query(pool, sql.markDead, job.id);
    else await query(pool, sql.delay, job.id, delayMs / 1_000, isSpent ? 0 : 1);
  } catch (cause) {
    // The queue then uses its own, shorter schedule.
    log.warn({ call, error: describeError(cause) }, 'the next attempt of a job could not be scheduled');
  }
}

function delayAfter(attempt: number, error: unknown): number | undefined {
  const { retryAfterMs, isFinal } = error instanceof JobFailure ? error : { retryAfterMs: 0, isFinal: false };
  const delay = retryDelay(attempt + 1);
  return delay === undefined || isFinal ? undefined : Math.max(delay, retryAfterMs);
}

function describe(error: unknown): string {
  if (error instanceof JobFailure) return error.message;
  const { name, code } = describeError(error);
  return code === undefined ? name : `${name} ${code}`;
}
