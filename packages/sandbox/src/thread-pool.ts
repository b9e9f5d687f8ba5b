import type { Engine } from './engine.js';
import type { Run, Scheduler } from './run.js';
import { RunQueue } from './run-queue.js';
import { Thread } from './thread.js';

/** The delay before a thread that could not start is replaced. */
const RESTART_MS = 1_000;

/** One organization can use at most one part of this many equal parts of the memory for parked runs. */
const ORGANIZATION_PART = 4;

export interface PoolLimits {
  /** Maximum number of runs that compute at the same time, each on one thread. */
  workers: number;
  /**
   * Maximum number of runs of one organization that compute at the same time. The remaining threads stay free for runs that arrive while slow runs
   * compute. Default: half of the workers.
   */
  workersPerOrganization: number;
  /** Maximum number of runs of one caller that compute at the same time. Default: half of the organization's limit. */
  workersPerCaller: number;
  /**
   * Maximum memory for the VMs of parked runs, which wait for host calls without a thread. One organization can use at most a quarter of this memory.
   */
  parkedBytes: number;
}

/** Starts threads in advance and assigns them to runs, in turn by organization and by caller within an organization. */
export class ThreadPool implements Scheduler {
  private readonly threads = new Set<Thread>();
  private readonly running = new Set<Run>();
  private readonly queue = new RunQueue();
  private isClosed = false;

  constructor(
    private readonly engine: Engine,
    private readonly limits: PoolLimits,
  ) {
    // There is one thread more than can be in use, so that a killed thread is replaced before the next run needs it.
    for (let count = 0; count <= limits.workers; count++) this.addThread();
  }

  begin(run: Run): void {
    this.running.add(run);
    run.begin();
  }

  enqueue(run: Run): void {
    this.queue.enqueue(run);
    this.schedule();
  }

  remove(run: Run): void {
    this.queue.remove(run);
    this.running.delete(run);
  }

  schedule(): void {
    while (this.queue.size > 0 && this.threadsInUse < this.limits.workers) {
      const thread = [...this.threads].find(({ isReady }) => isReady);
      if (!thread) return;
      const next = this.queue.dequeue((run) => this.mayAttach(run));
      if (!next) break;
      next.attach(thread);
    }
    if (this.queue.size > 0) this.parkOne();
  }

  canKeep({ options: { organization } }: Run): boolean {
    return bytesOf(this.runsOf(organization)) <= this.limits.parkedBytes / ORGANIZATION_PART;
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

  private runsOf(organization: string): Run[] {
    return [...this.running].filter(({ options }) => options.organization === organization);
  }

  private mayAttach({ options: { organization, caller } }: Run): boolean {
    const attached = this.runsOf(organization).filter(({ thread }) => thread.isAttached);
    const { workersPerOrganization, workersPerCaller } = this.limits;
    const own = attached.filter(({ options }) => options.caller === caller);
    return attached.length < workersPerOrganization && own.length < workersPerCaller;
  }

  private get threadsInUse(): number {
    return [...this.threads].filter(({ user }) => user).length;
  }

  /** Parks a run that only waits: its VM is copied out of its thread, so that a run in the queue can use the thread. */
  private parkOne(): void {
    const runs = [...this.running];
    if (runs.some(({ thread }) => thread.isParking)) return;
    if (bytesOf(runs) >= this.limits.parkedBytes) return;
    const waiting = runs.filter(({ thread }) => thread.isWaiting);
    const ofCaller = waiting.find(({ options }) => this.queue.has(options.organization, options.caller));
    const ofOrganization = waiting.find(({ options }) => this.queue.has(options.organization));
    (ofCaller ?? ofOrganization ?? waiting[0])?.thread.park();
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
