import { parentPort, workerData } from 'node:worker_threads';
import { addPieces } from '@drawbridge/pieces';
import { replay, type Replay, type ReplayResult } from './replay.js';

await addPieces(workerData as string);

// A thread of its own for what is large: parsing it and taking a credential out of it may take seconds.
parentPort?.on('message', (job: Replay) => {
  void replay(job).then((replayed) => parentPort?.postMessage(toPlain(replayed)));
});
parentPort?.postMessage('ready');

/** An error may hold anything; its frames are all that is logged. */
function toPlain(replayed: ReplayResult): ReplayResult {
  if (!(replayed.ended?.defect instanceof Error)) return replayed;
  const { name, stack } = replayed.ended.defect;
  return { ended: { ...replayed.ended, defect: Object.assign(new Error(), { name, stack }) } };
}
