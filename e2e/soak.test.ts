// Shapes: none; in full: local, processes
import { setTimeout as sleep } from 'node:timers/promises';
import { LOADS } from './support/hostile/loads.js';
import { type MemoryWatch, watchMemory } from './support/hostile/memory.js';
import { openStage, type Stage } from './support/hostile/stage.js';

/** The duration of the measured load. `pnpm soak` takes about nine minutes. */
const SECONDS = Number(process.env['SOAK_SECONDS']);
const AT_ONCE = 2;
const MOST_GROWTH = 1.3;
/** Sufficient to run each load once, so that code is compiled, and caches and pools are filled. */
const WARM_UP_SECONDS = 300;
/** Sufficient for idle threads to exit and for garbage collection. */
const REST_MS = 20_000;

let stage: Stage;
let memory: MemoryWatch;

beforeAll(async () => {
  stage = await openStage();
  memory = watchMemory(stage.product);
});
afterAll(async () => {
  memory?.stop();
  await stage?.stop();
});

describe('after a mixed load', () => {
  it(
    'the processes use no more memory than before',
    async () => {
      const fresh = memory.now();
      await mixUntil(() => turn >= loads.length);
      const before = await resting();
      const endsAt = performance.now() + SECONDS * 1_000;
      await mixUntil(() => performance.now() >= endsAt);
      const most = memory.peak();
      const after = await resting();
      const MiB = Object.entries({ fresh, before, most, after }).map(([name, size]) => `${name} ${size.toFixed(0)}`);
      process.stdout.write(`memory in MiB: ${MiB.join(', ')}\n`);
      expect(after).toBeLessThan(before * MOST_GROWTH);
      expect((await stage.attacker.get('/readyz')).status).toBe(200);
    },
    (WARM_UP_SECONDS + SECONDS + 120) * 1_000,
  );
});

async function resting(): Promise<number> {
  await sleep(REST_MS);
  return memory.now();
}

const loads = Object.values(LOADS);
let turn = 0;

/** Runs the loads in rotation, several at the same time. */
async function mixUntil(isOver: () => boolean): Promise<void> {
  const work = async (): Promise<void> => {
    while (!isOver()) await loads[turn++ % loads.length]!(stage);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
