import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Replay, type ReplayResult } from './replay.js';

/** Of one replay: far more than 10 MiB need. Whoever takes longer is ended with its thread. */
const REPLAY_MS = 5_000;
/** A thread that has nothing to do gives its memory back. */
const IDLE_MS = 10_000;
const LIMITS = { maxOldGenerationSizeMb: 768 };

/** A thread that replays one run at a time, started when it is needed. */
export class ReplayThread {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: URL,
    private readonly extraPieces: string,
  ) {}

  /**
   * Takes the bytes of the answers over: who asked has them no more. Throws when the thread died over it: it took too long,
   * or more memory than there may be.
   */
  async replay(job: Replay): Promise<ReplayResult> {
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.begin());
    try {
      return await answerOf(worker, job);
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  private begin(): Worker {
    const worker = new Worker(this.file, { resourceLimits: LIMITS, env: {}, workerData: this.extraPieces });
    worker.on('error', () => undefined); // whoever waits hears of it
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    worker.unref();
    return worker;
  }

  async end(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = undefined;
    await worker?.terminate();
  }
}

async function answerOf(worker: Worker, job: Replay): Promise<ReplayResult> {
  const waiting = new AbortController();
  const { signal } = waiting;
  worker.postMessage(job, bytesOf(job));
  try {
    // The first of these also fails with what the thread failed with.
    return await Promise.race([
      once(worker, 'message', { signal }).then(([replayed]) => replayed),
      once(worker, 'exit', { signal }).then(() => fail('The thread ended')),
      sleep(REPLAY_MS, undefined, { signal }).then(() => fail('Took too long')),
    ]);
  } finally {
    waiting.abort();
  }
}

function bytesOf({ exchanges }: Replay): ArrayBuffer[] {
  return exchanges.flatMap(({ answer }) => (answer ? [answer.body.buffer as ArrayBuffer] : []));
}

function fail(message: string): never {
  throw new Error(message);
}
