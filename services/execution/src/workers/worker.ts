import { type ChildProcess, fork } from 'node:child_process';
import { type EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker as Thread } from 'node:worker_threads';
import { type FromWorker, type Message, READY, type ToWorker } from './job.js';

const FILE = new URL('./job-worker.js', import.meta.url);
const MIB = 1024 * 1024;
/** Far more than answers of 10 MiB need. */
const THREAD = { heapMb: 768, youngMb: 24, limitMs: 5_000 };
/** The code of a process takes a third of `residentMb`. A process that holds more than `leftMb` after a job is not used again. */
const PROCESS = { heapMb: 256, youngMb: 16, residentMb: 400, leftMb: 200, limitMs: 2_000 };
const WATCH_MS = 20;

/** A thread or a process that runs one job at a time. It does not keep the main process alive. */
export interface Worker {
  /** Emits `message`, and `exit` also where the worker did not start. */
  events: EventEmitter;
  /** The longest time between a message and the end of the work that it causes. */
  limitMs: number;
  post(message: ToWorker): void;
  /** Whether it holds too much memory for another job. */
  isSpent(): boolean;
  end(): Promise<unknown>;
}

/** The worker ended before its job: it took too long, or more memory than it may have. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
}

/** Creates a thread, for large answers. `extraPieces` is INTEGRATIONS_DIR. */
export function newThread(extraPieces: string): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: THREAD.heapMb, maxYoungGenerationSizeMb: THREAD.youngMb };
  const thread = new Thread(FILE, { resourceLimits, env: {}, workerData: extraPieces });
  thread.on('error', () => undefined); // `exit` follows.
  thread.unref();
  return {
    events: thread,
    limitMs: THREAD.limitMs,
    post: (message) => thread.postMessage(message, bodiesIn(message)),
    isSpent: () => false,
    end: () => thread.terminate(),
  };
}

/** Creates a process, for the expressions of callers: a thread that allocates very much memory at once would end the whole process. */
export function newProcess(extraPieces: string): Worker {
  const child = fork(FILE, [extraPieces], {
    execArgv: [`--max-old-space-size=${PROCESS.heapMb}`, `--max-semi-space-size=${PROCESS.youngMb}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => child.pid ?? child.emit('exit')); // A process that did not start does not exit.
  endAbove(PROCESS.residentMb * MIB, child);
  child.unref();
  child.channel?.unref();
  return {
    events: child,
    limitMs: PROCESS.limitMs,
    post: (message) => void child.send(message, () => undefined), // `exit` says that the process is gone.
    isSpent: () => residentBytes(child.pid) > PROCESS.leftMb * MIB,
    end: async () => child.kill('SIGKILL'),
  };
}

/**
 * Ends a process that holds more memory. The flags of V8 bound its heap, but neither its youngest objects nor large texts and arrays. Without
 * /proc only the flags apply.
 */
export function endAbove(mostBytes: number, child: ChildProcess): void {
  if (child.pid === undefined) return; // It did not start, so that it will not exit.
  const watch = setInterval(() => {
    if (residentBytes(child.pid) > mostBytes) child.kill('SIGKILL');
  }, WATCH_MS).unref();
  child.once('exit', () => clearInterval(watch));
}

/** 0 for a process that has ended, and where there is no /proc. */
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

/** A busy machine starts a worker slowly. */
const START_MS = 10_000;

/** Resolves when a new worker has loaded its code. Throws LimitError. */
export function untilReady(worker: Worker): Promise<void> {
  return turnOf(worker, READY, START_MS);
}

let lastTurn = READY;

/** Resolves when the worker has done all that the message causes. Throws LimitError. */
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
      stop(() => reject(error as Error)); // The message cannot be copied.
    }
  });
}
