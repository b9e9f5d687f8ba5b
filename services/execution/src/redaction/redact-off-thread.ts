import { type Background } from '@drawbridge/rpc';
import { LARGE_INPUTS, type WorkerPool, workerPool } from '@drawbridge/turns';
import { type RedactedOutput, type Redactor } from './redactor.js';

/** Length in characters up to which an output is redacted on the main thread. This takes a few milliseconds. */
const INLINE_CHARACTERS = 64 * 1024;
const WORKER = new URL('./redaction-worker.js', import.meta.url);
/**
 * Limits of the worker threads. The output of an executed run must not be lost, so the queue is as long as the number of runs that an organization
 * can have.
 */
const LIMITS = { ...LARGE_INPUTS, waiting: 1_000 };

export interface OutputJob {
  json: string;
  secrets: readonly string[];
}

/** Redacts large outputs in a worker thread, because 8 MiB take up to a second, which would block the event loop. */
export interface OutputRedactor extends Background {
  /** Returns the result of `redact.output`. Throws QueueFullError, WorkerLimitError, or the signal's reason. */
  redact(orgId: string, output: { json: string; redact: Redactor; signal?: AbortSignal }): Promise<RedactedOutput>;
}

export function outputRedactor(
  pool: WorkerPool<OutputJob, RedactedOutput> = workerPool(WORKER, LIMITS),
): OutputRedactor {
  return {
    async redact(orgId, { json, redact, signal }) {
      const isSmall = json.length <= INLINE_CHARACTERS || redact.secrets.length === 0;
      return isSmall ? redact.output(json) : pool.run(orgId, { json, secrets: redact.secrets }, signal);
    },
    start: () => undefined,
    stop: () => pool.close(),
  };
}
