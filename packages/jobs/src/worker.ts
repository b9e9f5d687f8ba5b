import { setTimeout as sleep } from 'node:timers/promises';
import { type Background, describeError, untilDeadline } from '@drawbridge/rpc';
import { type QueueOptions, runQueue, type RunningQueue } from './run-queue.js';
import { query } from './statements.js';

const RESTART_MS = 1_000;
const SWEEP_MS = 30_000;

/**
 * The exit code that the queue sets, before it ends, when any queue in the database gets a new schema: the notification does not name it. If it is
 * our schema and too new for this version, restarts fail until the process is replaced.
 */
const SCHEMA_CHANGED = 57;

/**
 * Keeps a queue running: restarts it after it fails, which takes minutes without PostgreSQL. At start and then every 30 s it takes over jobs of dead
 * processes and deletes obsolete rows.
 */
export function worker(options: QueueOptions): Background {
  const stopping = new AbortController();
  let queue: RunningQueue | undefined;
  let kept = Promise.resolve();
  let swept = Promise.resolve();
  let timer: NodeJS.Timeout;

  async function keepRunning(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        queue ??= await runQueue(options, stopping.signal);
        await queue.ended;
      } catch (error) {
        options.log.error({ error: describeError(error) }, 'the job queue gave up; starting it again');
      }
      queue = undefined;
      if (process.exitCode === SCHEMA_CHANGED) process.exitCode = undefined;
      await sleep(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  return {
    async start() {
      queue = await runQueue(options, stopping.signal);
      kept = keepRunning();
      timer = setInterval(() => (swept = sweep(options)), SWEEP_MS);
      await (swept = sweep(options));
    },
    async stop(deadline) {
      stopping.abort();
      clearInterval(timer);
      await untilDeadline(Promise.all([kept, swept]), deadline);
      queue?.abandon();
    },
  };
}

async function sweep({ pool, sql, log }: QueueOptions): Promise<void> {
  try {
    const [taken] = await query<{ count: number }>(pool, sql.takeOver);
    if (taken?.count) log.warn({ count: taken.count }, 'took over the jobs of workers that died');
    await query(pool, sql.purge);
  } catch (error) {
    log.warn({ error: describeError(error) }, 'jobs could not be swept; trying again');
  }
}
