import { EventEmitter } from 'node:events';
import { jobRunner, READY } from '../workers/job.js';
import { type RunInWorker } from '../running/run-as-job.js';
import { jobPool } from '../workers/job-pool.js';
import { type Worker } from '../workers/worker.js';

/** Returns a worker that runs its jobs in this process, and copies messages like a thread does. */
export function inProcessWorker(): Worker {
  const events = new EventEmitter();
  const receive = jobRunner((message) => void events.emit('message', structuredClone(message)));
  setImmediate(() => events.emit('message', { turnEnded: READY }));
  return {
    events,
    limitMs: 60_000,
    post: (message) => void setImmediate(receive, structuredClone(message)),
    isSpent: () => false,
    end: async () => undefined,
  };
}

/** Runs jobs in workers within this process. Appends to `moved` the number of requests that each run had sent before it moved to a worker. */
export function inProcessWorkers(moved: number[] = [], { most = 4, holdMs = 60_000 } = {}): RunInWorker {
  const pool = jobPool(inProcessWorker, most, holdMs);
  return (run, signal) => {
    const begin: typeof run.begin = () => {
      const job = run.begin();
      moved.push(job.sent.length);
      return job;
    };
    return pool.run('org', { ...run, begin }, signal);
  };
}
