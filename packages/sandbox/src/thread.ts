import { Worker } from 'node:worker_threads';
import type { Engine } from './engine.js';
import type { Order, Report, WorkerData } from './messages.js';

/** The built worker. Code in src/ and in dist/ uses it, because a thread cannot run TypeScript sources. */
const FILE = new URL('../dist/vm-worker.js', import.meta.url);
/** Limits of a thread: the JavaScript heap, which does not include the memory of the VM, and the stack. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 16, stackSizeMb: 8 };

/** Receives the events of the thread that a run uses. */
export interface ThreadUser {
  onReport(report: Exclude<Report, { type: 'ready' }>): void;
  /** Called when the thread exited without being killed. */
  onLost(isOutOfMemory: boolean): void;
}

/** One worker thread, without environment variables, arguments and output. It serves one run at a time. */
export class Thread {
  user: ThreadUser | undefined;
  isReady = false;
  /** True if the thread has ever been ready. */
  hasStarted = false;
  readonly ended: Promise<void>;
  private readonly worker: Worker;

  constructor(engine: Engine, { onReady, onEnd }: { onReady: () => void; onEnd: (thread: Thread) => void }) {
    const workerData: WorkerData = { module: engine.module };
    const options = { env: {}, argv: [], execArgv: [], stdin: false, stdout: true, stderr: true };
    this.worker = new Worker(FILE, { ...options, resourceLimits: RESOURCE_LIMITS, workerData });
    this.worker.unref();
    this.worker.on('message', (report: Report) => {
      if (report.type !== 'ready') return this.user?.onReport(report);
      this.isReady = true;
      this.hasStarted = true;
      onReady();
    });
    let isOutOfMemory = false;
    this.worker.on('error', (error: NodeJS.ErrnoException) => {
      isOutOfMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    });
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', () => {
        this.isReady = false;
        const { user } = this;
        this.user = undefined;
        onEnd(this);
        user?.onLost(isOutOfMemory);
        resolve();
      });
    });
  }

  /** Assigns a ready thread to a run. */
  take(user: ThreadUser): void {
    this.isReady = false;
    this.user = user;
    this.worker.ref();
  }

  send(order: Order): void {
    this.worker.postMessage(order, order.type === 'resume' ? [order.image.memory.buffer as ArrayBuffer] : []);
  }

  /** Called when the run no longer needs the thread. The thread becomes ready again by itself. */
  release(): void {
    this.user = undefined;
    this.worker.unref();
  }

  kill(): void {
    this.user = undefined;
    void this.worker.terminate();
  }
}
