import { availableParallelism } from 'node:os';
import { type Background } from '@drawbridge/rpc';
import { FairQueue } from '@drawbridge/turns';
import { type Replay, type ReplayResult } from './replay.js';
import { ReplayThread } from './replay-thread.js';

/** Leaves the event loop a processor of its own where there are three; of two threads one is free while the other is kept. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1));
/** Of answers that wait, of one organization. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

export interface ReplayPool extends Background {
  /** In another thread, in turn with other organizations. Throws when it can't be done, and when the signal aborts. */
  replay(orgId: string, job: ReplayJob, signal: AbortSignal): Promise<ReplayResult>;
}

export interface ReplayJob {
  /** Of the answers that it is about. */
  bytes: number;
  /** Copied when its turn comes: what waits is in memory once. */
  toReplay(): Replay;
}

interface Waiting {
  bytes: number;
  start(thread: ReplayThread): Promise<void>;
}

/** `extraPieces`: INTEGRATIONS_DIR, which each thread loads for itself. */
export function replayPool(extraPieces: string): ReplayPool {
  const file = new URL('./replay-worker.js', import.meta.url);
  const free = Array.from({ length: THREADS }, () => new ReplayThread(file, extraPieces));
  const queue = new FairQueue<Waiting>();

  const next = (): void => {
    const waiting = free.length > 0 ? queue.dequeue() : undefined;
    const thread = waiting && free.pop();
    if (!thread) return;
    void waiting.start(thread).finally(() => {
      free.push(thread);
      next();
    });
  };
  return {
    async replay(orgId, job, signal) {
      if (sum(queue.of(orgId)) + job.bytes > MAX_WAITING_BYTES) throw new Error('Too much waits already');
      return new Promise<ReplayResult>((resolve, reject) => {
        const start = async (thread: ReplayThread): Promise<void> => {
          signal.removeEventListener('abort', leave);
          await replayIn(thread, job).then(resolve, reject);
        };
        const waiting = { bytes: job.bytes, start };
        const leave = (): void => {
          queue.remove(orgId, waiting);
          reject(new Error('The run ended before its turn'));
        };
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        queue.enqueue(orgId, waiting);
        next();
      });
    },
    start: () => undefined,
    stop: async () => {
      await Promise.all(free.map((thread) => thread.end()));
    },
  };
}

async function replayIn(thread: ReplayThread, job: ReplayJob): Promise<ReplayResult> {
  return thread.replay(job.toReplay());
}

function sum(waiting: readonly Waiting[]): number {
  return waiting.reduce((total, { bytes }) => total + bytes, 0);
}
