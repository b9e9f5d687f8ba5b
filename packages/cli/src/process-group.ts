import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Counted, type Counting, countWindows } from '@drawbridge/gateway';
import { type Logger } from '@drawbridge/rpc';
import { Channel } from './channel.js';
import { type AllConfig } from './config-flags.js';
import { mergeMetrics } from './merge-metrics.js';
import { type Running, type Stops } from './run-services.js';

/** Requests of the first process to a worker process. */
export type WorkerQuestions = {
  opensKey: { content: string; answer: boolean };
  metrics: { content: undefined; answer: string };
};

/** Requests of a worker process to the first process. */
export type GroupQuestions = {
  configuration: { content: undefined; answer: AllConfig };
  /** Reports that every service of the worker process is ready. */
  ready: { content: undefined; answer: void };
  count: { content: Counting[]; answer: Counted[] };
};

/** Delay before a worker process is replaced. It doubles while replacements exit before they are ready. */
const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/**
 * Time limit for the metrics of a worker process, so that a process that hangs does not hide the metrics of others. A worker process omits metrics
 * that take longer than 3 s.
 */
const METRICS_MS = 5_000;
/** A worker process that has not exited this long after the deadline of the shutdown is killed. */
const KILL_MS = 2_000;

interface Member {
  worker: Worker;
  channel: Channel<WorkerQuestions, GroupQuestions>;
  isReady: boolean;
}

interface Needs {
  /** The script of a worker process, which calls `runWorker`. */
  script: string;
  log: Logger;
  stops: Stops;
}

/**
 * Runs WEB_CONCURRENCY worker processes, each with every service. They share the port, the database and the counts of rate limits. A worker process
 * that exits is replaced. Throws if one exits before all are ready for the first time.
 */
export async function runGroup(config: AllConfig, { script, log, stops }: Needs): Promise<Running> {
  // The worker processes accept connections themselves. Otherwise this process would keep connections open that it passed to a process that was
  // killed.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: script, args: [], serialization: 'advanced' });
  const group = new ProcessGroup(config, log);
  stops.push((deadline) => group.stop(deadline));
  await group.start();
  return group;
}

class ProcessGroup implements Running {
  private readonly members = new Map<number, Member>();
  private readonly count = countWindows();
  private isStopping = false;

  constructor(
    private readonly config: AllConfig,
    private readonly log: Logger,
  ) {}

  async start(): Promise<void> {
    // The first worker process applies the migrations before the others start.
    await this.launch(1);
    // A process that starts after `stop` has listed the processes would never be stopped.
    if (this.isStopping) return;
    const others = Array.from({ length: this.config.WEB_CONCURRENCY - 1 }, (_, index) => index + 2);
    await Promise.all(others.map((position) => this.launch(position)));
  }

  async stop(deadline: number): Promise<void> {
    this.isStopping = true;
    const ends = [...this.members.values()].map(async ({ worker, isReady }) => {
      const code = await end(worker, deadline);
      // The exit code of a process that is still starting does not matter, because it has no requests to complete.
      return isReady && code !== 0;
    });
    if ((await Promise.all(ends)).includes(true)) throw new Error('A worker process did not shut down cleanly');
  }

  async opensKey(plainKey: string): Promise<boolean> {
    const [member] = this.ready();
    if (!member) throw new Error('No worker process is ready');
    return member[1].channel.ask('opensKey', plainKey);
  }

  async readMetrics(): Promise<string> {
    const texts = this.ready().map(async ([position, { channel }]) => {
      const late = sleep(METRICS_MS, '', { ref: false });
      const text = await Promise.race([channel.ask('metrics', undefined), late]).catch(() => '');
      return [String(position), text] as const;
    });
    return mergeMetrics(await Promise.all(texts));
  }

  private ready(): [number, Member][] {
    return [...this.members].filter(([, { isReady }]) => isReady);
  }

  /** Resolves when the process is ready. Rejects if it ends before that. */
  private launch(position: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = cluster.fork();
      const channel = new Channel<WorkerQuestions, GroupQuestions>(worker, {
        configuration: () => this.config,
        ready: () => {
          member.isReady = true;
          resolve();
        },
        count: (countings) => countings.map(this.count),
      });
      const member: Member = { worker, channel, isReady: false };
      this.members.set(position, member);
      worker.once('exit', (code, signal) => {
        this.members.delete(position);
        reject(
          new Error(
            `A worker process exited before it was ready (${signal ?? `exit code ${code}`}). Read its log for the reason`,
          ),
        );
        if (member.isReady) void this.replace(position, { pid: worker.process.pid, code, signal });
      });
    });
  }

  private async replace(position: number, ended: object): Promise<void> {
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
      // Waits first: Ctrl-C in a terminal also stops the worker processes, which may exit before this process receives the signal.
      await sleep(delay, undefined, { ref: false });
      if (this.isStopping) return;
      if (delay === FIRST_DELAY_MS) this.log.error(ended, 'a worker process has ended and is replaced');
      try {
        await this.launch(position);
        return this.log.info({ pid: this.members.get(position)?.worker.process.pid }, 'a worker process was replaced');
      } catch {
        this.log.error({}, 'a worker process exited before it was ready; a replacement is started');
      }
    }
  }
}

/** Lets the process complete its requests, and kills it if it has not exited after the deadline. Returns its exit code, or null if it was killed. */
async function end(worker: Worker, deadline: number): Promise<number | null> {
  const { process: child } = worker;
  if (worker.isDead()) return child.exitCode;
  const exited = once(worker, 'exit');
  child.kill('SIGTERM');
  const left = Math.max(0, deadline - Date.now()) + KILL_MS;
  await Promise.race([exited, sleep(left, undefined, { ref: false })]);
  if (!worker.isDead()) child.kill('SIGKILL');
  await exited;
  return child.exitCode;
}
