import { EventEmitter } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type Job, READY, type ToWorker } from '../workers/job.js';
import { type WorkerRun } from '../workers/job-pool.js';
import { type Worker } from '../workers/worker.js';

/**
 * Returns a fake worker that calls `does` with each message. The worker first reports that it is ready. If `first` is given, the worker exits
 * instead.
 */
export function workerThat(
  does: (events: EventEmitter, message: ToWorker) => void,
  first: () => unknown = ready,
): Worker {
  const events = new EventEmitter();
  const isExit = first !== ready;
  void setImmediate().then(() => events.emit(isExit ? 'exit' : 'message', first()));
  const end = async (): Promise<void> => void events.emit('exit');
  return { events, limitMs: 60_000, post: (message) => does(events, message), isSpent: () => false, end };
}

const ready = (): unknown => ({ turnEnded: READY });

export function endJob(events: EventEmitter, { turn }: ToWorker): void {
  events.emit('message', { result: {} });
  events.emit('message', { turnEnded: turn });
}

export const job = (name: string, bytes = 0): WorkerRun => ({
  bytes,
  begin: () => ({ pieceName: name, sent: [] }) as unknown as Job,
  send: async () => ({}),
  canRestart: () => true,
});

export async function settle(): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await setImmediate();
}
