import { availableParallelism } from 'node:os';
import { type Background } from '@drawbridge/rpc';
import { FairQueue, QueueFullError } from '@drawbridge/turns';
import { type Replay, type ReplayResult } from './replay.js';
import { type NewCarrier } from './carriers.js';
import { NotBegunError, Replayer } from './replayer.js';

/** Leaves the event loop a processor of its own where there are three; of two threads one is free while the other is kept. */
const AT_ONCE = Math.min(4, Math.max(2, availableParallelism() - 1));
/** Of one organization: what waits, and the answers that it holds. */
const MAX_WAITING = { runs: 1_000, bytes: 256 * 1024 * 1024 };

export interface ReplayPool extends Background {
  /** In another thread or process, in turn with other organizations. Throws when it can't be done, and when the signal aborts. */
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
  start(replayer: Replayer): Promise<void>;
}

/** `extraPieces`: INTEGRATIONS_DIR. */
export function replayPool(extraPieces: string, newCarrier: NewCarrier): ReplayPool {
  const free = Array.from({ length: AT_ONCE }, () => new Replayer(newCarrier, extraPieces));
  const queue = new FairQueue<Waiting>();

  const next = (): void => {
    const waiting = free.length > 0 ? queue.dequeue() : undefined;
    const replayer = waiting && free.pop();
    if (!replayer) return;
    void waiting.start(replayer).finally(() => {
      free.push(replayer);
      next();
    });
  };
  return {
    async replay(orgId, job, signal) {
      const waits = queue.of(orgId);
      const isFull = waits.length >= MAX_WAITING.runs || sum(waits) + job.bytes > MAX_WAITING.bytes;
      if (isFull) throw new QueueFullError(`${waits.length} wait already`);
      return new Promise<ReplayResult>((resolve, reject) => {
        const start = async (replayer: Replayer): Promise<void> => {
          signal.removeEventListener('abort', leave);
          await replayIn(replayer, job).then(resolve, reject);
        };
        const waiting = { bytes: job.bytes, start };
        const leave = (): void => {
          queue.remove(orgId, waiting);
          reject(new NotBegunError('The run ended before its turn'));
        };
        if (signal.aborted) return leave();
        signal.addEventListener('abort', leave, { once: true });
        queue.enqueue(orgId, waiting);
        next();
      });
    },
    start: () => undefined,
    stop: async () => {
      await Promise.all(free.map((replayer) => replayer.end()));
    },
  };
}

async function replayIn(replayer: Replayer, job: ReplayJob): Promise<ReplayResult> {
  return replayer.replay(job.toReplay());
}

function sum(waiting: readonly Waiting[]): number {
  return waiting.reduce((total, { bytes }) => total + bytes, 0);
}
