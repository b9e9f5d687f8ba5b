import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Replay, type ReplayResult } from './replay.js';

/** Of one replay: far more than 10 MiB need. Whoever takes longer is ended with its thread. */
const REPLAY_MS = 5_000;
/** Until it has loaded what it runs: a machine that has much to do starts one slowly. */
const START_MS = 30_000;
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
    try {
      const worker = this.worker ?? (await this.begin());
      worker.postMessage(job, bytesOf(job));
      return await messageOf(worker, REPLAY_MS);
    } catch (error) {
      await this.end();
      throw error;
    } finally {
      this.idle = setTimeout(() => void this.end(), IDLE_MS).unref();
    }
  }

  private async begin(): Promise<Worker> {
    const worker = new Worker(this.file, { resourceLimits: LIMITS, env: {}, workerData: this.extraPieces });
    worker.on('error', () => undefined); // whoever waits hears of it
    worker.once('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    worker.unref();
    this.worker = worker;
    await messageOf(worker, START_MS);
    return worker;
  }

  async end(): Promise<void> {
    clearTimeout(this.idle);
    const worker = this.worker;
    this.worker = undefined;
    await worker?.terminate();
  }
}

/** The next that it says. Throws when it died, or says nothing in that time. */
async function messageOf(worker: Worker, withinMs: number): Promise<ReplayResult> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    // The first of these also fails with what the thread failed with.
    return await Promise.race([
      once(worker, 'message', { signal }).then(([said]) => said),
      once(worker, 'exit', { signal }).then(() => fail('The thread ended')),
      sleep(withinMs, undefined, { signal }).then(() => fail('Took too long')),
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
