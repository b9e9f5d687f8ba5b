// Shapes: local, processes
import { setTimeout as sleep } from 'node:timers/promises';
import { LOADS } from './support/hostile/loads.js';
import { type MemoryWatch, watchMemory } from './support/hostile/memory.js';
import { openStage, type Stage } from './support/hostile/stage.js';

/** `pnpm soak` takes six minutes. */
const SECONDS = Number(process.env['SOAK_SECONDS']);
const AT_ONCE = 2;
const MOST_GROWTH = 1.3;
/** Threads that have nothing to do end, and what they held is collected. */
const REST_MS = 30_000;

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
    'the processes hold no more than they did before it',
    async () => {
      const before = memory.now();
      await mixFor(SECONDS);
      const most = memory.peak();
      await sleep(REST_MS);
      const after = memory.now();
      const MiB = [before, most, after].map((size) => size.toFixed(0));
      process.stdout.write(`memory in MiB: before ${MiB[0]}, at most ${MiB[1]}, afterwards ${MiB[2]}\n`);
      expect(after).toBeLessThan(before * MOST_GROWTH);
      expect((await stage.attacker.get('/readyz')).status).toBe(200);
    },
    (SECONDS + 90) * 1_000,
  );
});

const loads = Object.values(LOADS);
let turn = 0;

/** Each load in its turn, some at once. */
async function mixFor(seconds: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000;
  const work = async (): Promise<void> => {
    while (performance.now() < endsAt) await loads[turn++ % loads.length]!(stage);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
