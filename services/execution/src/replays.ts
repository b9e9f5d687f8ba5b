import { availableParallelism } from 'node:os';
import { type Background } from '@drawbridge/rpc';
import { FairQueue } from '@drawbridge/turns';
import { type Replay, type Replayed } from './replay.js';
import { ReplayThread } from './replay-thread.js';

/** Leaves the event loop a processor of its own where there are two. */
const THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
/** Of answers that wait, of one organization. */
const MAX_WAITING_BYTES = 256 * 1024 * 1024;

export interface Replays extends Background {
  /** In another thread, in turn with other organizations. Fails when it can't be done, and when the signal aborts. */
  replay(orgId: string, job: Replay, signal: AbortSignal): Promise<Replayed>;
}

interface Waiting {
  bytes: number;
  start(thread: ReplayThread): Promise<void>;
}

export function replays(file = new URL('./replay-worker.js', import.meta.url)): Replays {
  const free = Array.from({ length: THREADS }, () => new ReplayThread(file));
  const queue = new FairQueue<Waiting>();

  const next = (): void => {
    const waiting = free.length > 0 ? queue.take() : undefined;
    const thread = waiting && free.pop();
    if (!thread) return;
    void waiting.start(thread).finally(() => {
      free.push(thread);
      next();
    });
  };
  return {
    async replay(orgId, job, signal) {
      const bytes = bytesOf(job);
      if (sum(queue.of(orgId)) + bytes > MAX_WAITING_BYTES) throw new Error('Too much waits already');
      return new Promise<Replayed>((resolve, reject) => {
        const start = (thread: ReplayThread): Promise<void> => {
          signal.removeEventListener('abort', leave);
          return thread.replay(job).then(resolve, reject);
        };
        const waiting = { bytes, start };
        const leave = (): void => {
          queue.remove(orgId, waiting);
          reject(new Error('The run ended before its turn'));
        };
        signal.addEventListener('abort', leave, { once: true });
        queue.add(orgId, waiting);
        next();
      });
    },
    start: () => undefined,
    stop: async () => {
      await Promise.all(free.map((thread) => thread.end()));
    },
  };
}

function bytesOf({ heard }: Replay): number {
  return heard.reduce((total, { answer }) => total + (answer?.body.length ?? 0), 0);
}

function sum(waiting: readonly Waiting[]): number {
  return waiting.reduce((total, { bytes }) => total + bytes, 0);
}
