import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Job, READY, type ToWorker } from './job.js';

/** The compiled worker, because a separate process cannot run TypeScript sources. */
const FILE = join(import.meta.dirname, '../../dist/workers/job-worker.js');

const message = (expression: string): ToWorker => {
  const job: Job = {
    ...{ pieceName: 'data-transformer', secrets: [], sent: [] },
    work: { kind: 'action', actionName: 'transform', runId: 'run' },
    input: { expression },
  };
  return { turn: 1, job };
};

async function start() {
  const child = fork(FILE, [''], { serialization: 'advanced', env: {} });
  expect(await once(child, 'message')).toMatchObject([{ turnEnded: READY }, undefined]);
  return child;
}

it('finishes its job despite signals to the process group, and exits when its parent is gone', async () => {
  const child = await start();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) child.kill(signal);
  child.send(message('1 + 1'));
  expect(await once(child, 'message')).toMatchObject([{ result: { outputJson: '{"result":2}' } }, undefined]);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('ends soon after its parent process, whatever it computes', async () => {
  const child = await start();
  child.send(message('$match($join([1..40].("a")) & "!", /^(a+)+$/)'));
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
