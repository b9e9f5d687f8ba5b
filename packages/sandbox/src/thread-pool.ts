import { FairQueue } from '@drawbridge/turns';
import type { Engine } from './engine.js';
import type { Run, Scheduler } from './run.js';
import { Thread } from './thread.js';

/** The delay before a thread that could not start is replaced. */
const RESTART_MS = 1_000;

/** One organization has at most this part of the memory for parked runs. */
const ORGANIZATION_PART = 4;

/** Keeps threads warm and gives them to runs, in fair order of the organizations. */
export class ThreadPool implements Scheduler {
  private readonly threads = new Set<Thread>();
  private readonly running = new Set<Run>();
  private readonly queue = new FairQueue<Run>();
  private isClosed = false;

  constructor(
    private readonly engine: Engine,
    private readonly limits: { workers: number; parkedBytes: number },
  ) {
    // One more than can be in use, so that a killed thread is replaced before the next run needs it.
    for (let count = 0; count <= limits.workers; count++) this.addThread();
  }

  begin(run: Run): void {
    this.running.add(run);
    run.begin();
  }

  enqueue(run: Run): void {
    this.queue.enqueue(run.organization, run);
    this.schedule();
  }

  remove(run: Run): void {
    this.queue.remove(run.organization, run);
    this.running.delete(run);
  }

  schedule(): void {
    while (this.queue.size > 0 && this.threadsInUse < this.limits.workers) {
      const thread = [...this.threads].find(({ isReady }) => isReady);
      if (!thread) return;
      this.queue.dequeue()?.attach(thread);
    }
    if (this.queue.size > 0) this.parkOne();
  }

  canKeep({ organization }: Run): boolean {
    const own = [...this.running].filter((run) => run.organization === organization);
    return bytesOf(own) <= this.limits.parkedBytes / ORGANIZATION_PART;
  }

  get size(): { threads: number; runs: number } {
    return { threads: this.threads.size, runs: this.running.size };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const run of this.running) run.abort(new Error('The sandbox is closed'));
    const threads = [...this.threads];
    for (const thread of threads) thread.kill();
    await Promise.all(threads.map(({ ended }) => ended));
  }

  private get threadsInUse(): number {
    return [...this.threads].filter(({ user }) => user).length;
  }

  /** Frees the thread of a run that only waits, so that the next run of the queue can use it. */
  private parkOne(): void {
    const runs = [...this.running];
    if (runs.some(({ thread }) => thread.isParking)) return;
    if (bytesOf(runs) >= this.limits.parkedBytes) return;
    runs.find(({ thread }) => thread.isWaiting)?.thread.park();
  }

  private addThread(): void {
    const onEnd = (thread: Thread): void => {
      this.threads.delete(thread);
      const add = (): void => void (this.isClosed || this.addThread());
      if (thread.hasStarted) add();
      else setTimeout(add, RESTART_MS).unref();
    };
    this.threads.add(new Thread(this.engine, { onReady: () => this.schedule(), onEnd }));
  }
}

function bytesOf(runs: readonly Run[]): number {
  return runs.reduce((sum, run) => sum + run.parkedBytes, 0);
}
