import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Replay } from './replay.js';

/** As it is built: a process of its own runs nothing else. */
const FILE = join(import.meta.dirname, '../../dist/large-answers/replay-worker.js');

const job = (expression: string): Replay => ({
  ...{ pieceName: 'data-transformer', secrets: [], exchanges: [] },
  work: { kind: 'action', actionName: 'transform', runId: 'run' },
  input: { expression },
});

async function start() {
  const child = fork(FILE, [''], { serialization: 'advanced', env: {} });
  expect(await once(child, 'message')).toContain('ready');
  return child;
}

it('ends its job whatever the whole group is told, and itself when nobody is there to hear it', async () => {
  const child = await start();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) child.kill(signal);
  child.send(job('1 + 1'));
  expect(await once(child, 'message')).toMatchObject([{ ended: { outputJson: '{"result":2}' } }, undefined]);
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('outlives who started it by little, whatever it computes', async () => {
  const child = await start();
  child.send(job('$match($join([1..40].("a")) & "!", /^(a+)+$/)'));
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});
