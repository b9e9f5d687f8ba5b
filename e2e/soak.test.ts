// Shapes: local, processes
import { LOADS } from './support/hostile/loads.js';
import { type MemoryWatch, watchMemory } from './support/hostile/memory.js';
import { openStage, type Stage } from './support/hostile/stage.js';

/** `pnpm soak` takes five minutes. */
const SECONDS = Number(process.env['SOAK_SECONDS']);
const AT_ONCE = 2;
const MOST_GROWTH = 1.3;

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

describe('under a mixed load', () => {
  it(
    'the processes hold no more after a while than they did at its beginning',
    async () => {
      const idle = memory.peak();
      await mixFor(SECONDS / 3);
      const atFirst = memory.peak();
      await mixFor((SECONDS * 2) / 3);
      const atLast = memory.peak();
      process.stdout.write(
        `memory in MiB: idle ${idle.toFixed(0)}, at first ${atFirst.toFixed(0)}, at last ${atLast.toFixed(0)}\n`,
      );
      expect(atLast).toBeLessThan(atFirst * MOST_GROWTH);
      expect((await stage.attacker.get('/readyz')).status).toBe(200);
    },
    (SECONDS + 60) * 1_000,
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
