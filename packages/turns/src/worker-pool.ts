import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ApiError } from '@drawbridge/contracts';
import { QueueFullError, slotRefused, TenantLimiter } from './tenant-limiter.js';

/** Idle workers are terminated after this time, because they retain the memory of their last job. */
const IDLE_MS = 10_000;
const MAX_MEMORY_MB = 512;

/** Thrown if the worker did not respond: the job exceeded its time limit or the worker's memory limit. */
export class WorkerLimitError extends Error {
  override readonly name = 'WorkerLimitError';
}

interface PoolLimits {
  workers: number;
  /** Maximum number of queued jobs per tenant. */
  waiting: number;
  /** Time limit of one job, in milliseconds. */
  jobMs: number;
}

/** Limits of a pool for inputs that are too large for the event loop. */
export const LARGE_INPUTS: PoolLimits = {
  workers: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waiting: 20,
  jobMs: 10_000,
};
const RETRY_SECONDS = 1;

/**
 * Throws the error for a caller with a large input that was not processed: RATE_LIMITED if too many inputs of the organization wait for `work`,
 * TIMEOUT with `late` if the job reached a limit, and any other error unchanged.
 */
export function throwRefused(error: unknown, { work, late }: { work: string; late: string }): never {
  if (error instanceof QueueFullError) {
    const message = `At most ${LARGE_INPUTS.waiting} large inputs of an organization wait for ${work}; try again in ${RETRY_SECONDS} s`;
    throw slotRefused(error, message, RETRY_SECONDS);
  }
  if (error instanceof WorkerLimitError) throw new ApiError('TIMEOUT', late, { cause: error });
  throw error;
}

export interface WorkerPool<Job, Answer> {
  /**
   * Runs a job in another thread. Tenants are scheduled fairly. Throws QueueFullError, WorkerLimitError, the worker's error, or the reason of the
   * signal if it aborts before the job begins.
   */
  run(tenant: string, job: Job, signal?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** All jobs use this one tenant of the limiter, and the tenants of the pool are its callers, so that they share the workers. */
const WORKERS = '';

/** Creates a pool of workers, which are started on demand. `file` must respond to each message with one message. */
export function workerPool<Job, Answer>(file: URL, limits: PoolLimits): WorkerPool<Job, Answer> {
  const { workers, waiting, jobMs } = limits;
  const slots = new TenantLimiter({ atOnce: workers, waiting: Infinity, waitingPerCaller: waiting });
  const idle = new IdleWorkers();
  const runNow = async (job: Job): Promise<Answer> => {
    const worker = idle.take() ?? newWorker(file);
    try {
      const answer = await answerOf<Answer>(worker, job, jobMs);
      idle.put(worker);
      return answer;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  };
  return {
    async run(tenant, job, signal) {
      signal?.throwIfAborted();
      const release = await slots.acquire(WORKERS, signal, tenant);
      return runNow(job).finally(release);
    },
    close: () => idle.end(),
  };
}

function newWorker(file: URL): Worker {
  const worker = new Worker(file, { env: {}, resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB } });
  worker.on('error', () => undefined); // the pending job fails instead
  worker.unref();
  return worker;
}

async function answerOf<Answer>(worker: Worker, job: unknown, limitMs: number): Promise<Answer> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const fail = (message: string): never => {
    throw new WorkerLimitError(message);
  };
  try {
    const answer = Promise.race([
      once(worker, 'message', { signal }).then(([said]) => said as Answer),
      once(worker, 'exit', { signal }).then(() => fail('The worker exited')),
      sleep(limitMs, undefined, { signal }).then(() => fail(`The job took longer than ${limitMs} ms`)),
    ]);
    worker.postMessage(job);
    return await answer;
  } finally {
    waiting.abort();
  }
}

class IdleWorkers {
  private readonly timers = new Map<Worker, NodeJS.Timeout>();

  take(): Worker | undefined {
    const [worker] = this.timers.keys();
    if (worker) this.remove(worker);
    return worker;
  }

  put(worker: Worker): void {
    const end = (): void => {
      this.remove(worker);
      void worker.terminate();
    };
    this.timers.set(worker, setTimeout(end, IDLE_MS).unref());
  }

  async end(): Promise<void> {
    const workers = [...this.timers.keys()];
    for (const worker of workers) this.remove(worker);
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  private remove(worker: Worker): void {
    clearTimeout(this.timers.get(worker));
    this.timers.delete(worker);
  }
}
