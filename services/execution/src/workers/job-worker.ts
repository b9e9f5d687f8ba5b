import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type FromWorker } from './job.js';

if (!parentPort) prepareProcess();

// Imported after the signals are handled: loading the pieces takes a moment.
const [{ addPieces }, { jobRunner, READY }] = await Promise.all([import('@drawbridge/pieces'), import('./job.js')]);
await addPieces(parentPort ? (workerData as string) : (process.argv[2] ?? ''));

// A process cannot post a message after its parent has ended.
const post = (message: FromWorker): void =>
  void (parentPort ? parentPort.postMessage(message) : process.send?.(message, undefined, undefined, () => undefined));
(parentPort ?? process).on('message', jobRunner(post));
post({ turnEnded: READY });

/**
 * A terminal signals the whole process group. The parent decides when the worker ends, because its runs end first. The expression of a
 * caller yields the processor and the memory to the parent.
 */
function prepareProcess(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit());
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // On another system than Linux, the kernel chooses the process that it ends.
  }
}
