import { fork } from 'node:child_process';
import { type EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { endAbove } from './end-above.js';
import { type Replay } from './replay.js';
import { residentBytes } from './resident-bytes.js';

const FILE = new URL('./replay-worker.js', import.meta.url);
const MIB = 1024 * 1024;
/** Far more than answers of 10 MiB need. */
const THREAD = { mb: 768, limitMs: 5_000 };
/** Its own code is a third of what it may hold in all; whatever is done next has the other half. */
const PROCESS = { mb: 256, youngMb: 16, residentMb: 400, leftMb: 200, limitMs: 2_000 };

/** Where a run is gone through again: another thread, or another process. It says `message` and `exit`, and holds nobody from ending. */
export interface Carrier {
  events: EventEmitter;
  /** Of one job: whoever takes longer is ended with its carrier. */
  limitMs: number;
  post(job: Replay): void;
  /** What is done next should be done in another: this one still holds what the last one left. */
  isSpent(): boolean;
  end(): Promise<unknown>;
}

/** `extraPieces`: INTEGRATIONS_DIR, which each carrier loads for itself. */
export type NewCarrier = (extraPieces: string) => Carrier;

/** Takes the bytes of the answers over: who asked has them no more. */
export const newThread: NewCarrier = (extraPieces) => {
  const resourceLimits = { maxOldGenerationSizeMb: THREAD.mb };
  const worker = new Worker(FILE, { resourceLimits, env: {}, workerData: extraPieces });
  worker.unref();
  return {
    events: worker,
    limitMs: THREAD.limitMs,
    post: (job) => worker.postMessage(job, bytesOf(job)),
    isSpent: () => false, // what is left is collected before its heap is full
    end: () => worker.terminate(),
  };
};

/** For what a caller wrote: a thread that asks for very much memory at once ends the whole process, so it has one of its own. */
export const newProcess: NewCarrier = (extraPieces) => {
  const child = fork(FILE, [extraPieces], {
    execArgv: [`--max-old-space-size=${PROCESS.mb}`, `--max-semi-space-size=${PROCESS.youngMb}`],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  endAbove(PROCESS.residentMb * MIB, child);
  child.unref();
  child.channel?.unref();
  return {
    events: child,
    limitMs: PROCESS.limitMs,
    post: (job) => void child.send(job, () => undefined), // whoever waits hears that it is gone
    isSpent: () => residentBytes(child.pid) > PROCESS.leftMb * MIB,
    end: async () => child.kill('SIGKILL'),
  };
};

function bytesOf({ exchanges }: Replay): ArrayBuffer[] {
  return exchanges.flatMap(({ answer }) => (answer ? [answer.body.buffer as ArrayBuffer] : []));
}
