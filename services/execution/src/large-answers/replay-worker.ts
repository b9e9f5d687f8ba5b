import './outlive-signals.js';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { addPieces } from '@drawbridge/pieces';
import { replay, type Replay, type ReplayResult } from './replay.js';

await addPieces(parentPort ? (workerData as string) : (process.argv[2] ?? ''));

// What a caller wrote is computed when nobody else wants the processor.
if (!parentPort) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// A thread or a process of its own: parsing what is large and taking a credential out of it may take seconds, and so may what a caller wrote.
const say = (said: unknown): void =>
  void (parentPort ? parentPort.postMessage(said) : process.send?.(said, undefined, undefined, () => undefined)); // to nobody, at worst
(parentPort ?? process).on('message', (job: Replay) => {
  void replay(job).then((replayed) => say(toPlain(replayed)));
});
say('ready');

/** An error may hold anything; its frames are all that is logged. */
function toPlain(replayed: ReplayResult): ReplayResult {
  if (!(replayed.ended?.defect instanceof Error)) return replayed;
  const { name, stack } = replayed.ended.defect;
  return { ended: { ...replayed.ended, defect: Object.assign(new Error(), { name, stack }) } };
}
