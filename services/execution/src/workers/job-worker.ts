import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type FromWorker } from './job.js';

if (!parentPort) prepareProcess();

// Imported after the signal handlers are installed, because loading the pieces takes time in which a signal could end the process.
const [{ addPieces }, { jobRunner, READY }] = await Promise.all([import('@drawbridge/pieces'), import('./job.js')]);
await addPieces(parentPort ? (workerData as string) : (process.argv[2] ?? ''));

// The empty callback ignores the error of a message that is sent after the parent process has exited.
const post = (message: FromWorker): void =>
  void (parentPort ? parentPort.postMessage(message) : process.send?.(message, undefined, undefined, () => undefined));
(parentPort ?? process).on('message', jobRunner(post));
post({ turnEnded: READY });

/**
 * Ignores the signals that a terminal sends to the whole process group, because the parent ends the worker after its runs. Lowers the priority of the
 * process, so that an expression that a caller wrote does not take CPU time and memory from the parent.
 */
function prepareProcess(): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined);
  process.once('disconnect', () => process.exit());
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // On systems other than Linux, the kernel chooses which process to end when memory runs out.
  }
}
