import { type ChildProcess, fork } from 'node:child_process';
import { type EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker as Thread } from 'node:worker_threads';
import { type FromWorker, type Message, READY, type ToWorker } from './job.js';

const FILE = new URL('./job-worker.js', import.meta.url);
const MIB = 1024 * 1024;
/** Limits of a thread. They are much higher than responses of 10 MiB need. */
const THREAD = { heapMb: 768, youngMb: 24, limitMs: 5_000 };
/** Limits of a process. Its own code uses a third of `residentMb`. A process that uses more than `leftMb` after a job is not used again. */
const PROCESS = { heapMb: 256, youngMb: 16, residentMb: 400, leftMb: 200, limitMs: 2_000 };
const WATCH_MS = 20;

/** A thread or process that runs one job at a time. It does not keep the main process alive. */
export interface Worker {
  /** Emits `message`, and `exit`, even if the worker did not start. */
  events: EventEmitter;
  /** Maximum time between a message and the end of the work that it causes, in milliseconds. */
  limitMs: number;
  post(message: ToWorker): void;
  /** Returns true if the worker uses too much memory for another job. */
  isSpent(): boolean;
  end(): Promise<unknown>;
}

/** Thrown if the worker ended before its job, because it exceeded its time or memory limit. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** Creates a thread for runs with large responses. `extraPieces` is the value of INTEGRATIONS_DIR, the folder of additional pieces. */
export function newThread(extraPieces: string): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: THREAD.heapMb, maxYoungGenerationSizeMb: THREAD.youngMb };
  const thread = new Thread(FILE, { resourceLimits, env: {}, workerData: extraPieces });
  thread.on('error', () => undefined); // The `exit` event follows and is handled.
  thread.unref();
  return {
    events: thread,
    limitMs: THREAD.limitMs,
    post: (message) => thread.postMessage(message, bodiesIn(message)),
    isSpent: () => false,
    end: () => thread.terminate(),
  };
}

/**
 * Creates a process for actions that evaluate expressions of their callers. A thread is not enough: if it allocated too much memory at once, the
 * whole main process would end.
 */
export function newProcess(extraPieces: string): Worker {
  const child = fork(FILE, [extraPieces], {
    execArgv: [`--max-old-space-size=${PROCESS.heapMb}`, `--max-semi-space-size=${PROCESS.youngMb}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => child.pid ?? child.emit('exit')); // A process that did not start emits no `exit` event by itself.
  endAbove(PROCESS.residentMb * MIB, child);
  child.unref();
  child.channel?.unref();
  return {
    events: child,
    limitMs: PROCESS.limitMs,
    post: (message) => void child.send(message, () => undefined), // The `exit` event reports that the process has ended.
    isSpent: () => residentBytes(child.pid) > PROCESS.leftMb * MIB,
    end: async () => child.kill('SIGKILL'),
  };
}

/**
 * Kills a process that uses more memory than `mostBytes`. The V8 flags limit the heap of the process, but neither its young generation nor large
 * strings and arrays. On systems without /proc, only the flags apply.
 */
export function endAbove(mostBytes: number, child: ChildProcess): void {
  if (child.pid === undefined) return; // The process did not start, so there is nothing to watch.
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > mostBytes) child.kill('SIGKILL');
  }, WATCH_MS).unref();
  child.once('exit', () => clearInterval(watch));
}

/** Returns the memory of a process in bytes. Returns 0 for a process that has ended, and on systems without /proc. */
function residentBytes(pid: number | undefined): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function bodiesIn(message: Message): ArrayBuffer[] {
  const replies = 'job' in message ? message.job.sent : [message.reply];
  return replies.flatMap(({ answer }) => (answer ? [answer.body.buffer as ArrayBuffer] : []));
}

/** Maximum time that a worker needs to load its code, in milliseconds. It allows for a busy machine. */
const START_MS = 10_000;

/** Resolves when a new worker has loaded its code. Throws LimitError. */
export function untilReady(worker: Worker): Promise<void> {
  return turnOf(worker, READY, START_MS);
}

let lastTurn = READY;

/** Resolves when the worker has completed all work that the message causes. Throws LimitError. */
export function work(worker: Worker, message: Message): Promise<void> {
  const turn = ++lastTurn;
  return turnOf(worker, turn, worker.limitMs, () => worker.post({ ...message, turn }));
}

function turnOf({ events }: Worker, turn: number, withinMs: number, begin?: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: FromWorker): void => {
      if ('turnEnded' in message && message.turnEnded === turn) stop(resolve);
    };
    const onExit = (): void => stop(() => reject(new LimitError('The worker ended')));
    const timer = setTimeout(() => stop(() => reject(new LimitError(`No end within ${withinMs} ms`))), withinMs);
    const stop = (settle: () => void): void => {
      clearTimeout(timer);
      events.off('message', onMessage);
      events.off('exit', onExit);
      settle();
    };
    events.on('message', onMessage);
    events.on('exit', onExit);
    try {
      begin?.();
    } catch (error) {
      stop(() => reject(error as Error)); // Posting failed, because the message cannot be copied to the worker.
    }
  });
}
