import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HostFunction, openSandbox, type Sandbox } from './index.js';

interface Bomb {
  name: string;
  code: string;
  /** The results with which the run may end: `completed`, or the code of its error. On a busy machine, TIMEOUT is also allowed. */
  ends: string[];
}

const BOMBS: Bomb[] = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/bombs.json'), 'utf8'));
const LIMITS = { cpuMs: 1_000, wallMs: 2_000 };
/** Maximum time between a run's time limit and its end. */
const LATE_MS = 2_000;
const WORKERS = 2;

const functions: Record<string, HostFunction> = {
  f: async () => 1,
  never: () => new Promise(() => undefined),
};

let sandbox: Sandbox;
let memoryBefore: number;

beforeAll(() => {
  sandbox = openSandbox({ workers: WORKERS });
  memoryBefore = process.memoryUsage().rss;
});
afterAll(() => sandbox.close());

it.each(BOMBS)('ends $name, and the neighbour works on', async ({ code, ends }) => {
  const started = performance.now();
  const exploding = sandbox.run({
    organization: 'bomber',
    code: code.replace('@@NESTED', '['.repeat(300_000)),
    functions,
    limits: LIMITS,
  });
  const neighbour = await sandbox.run({ organization: 'neighbour', code: 'return (await f()) + 1', functions });
  const neighbourMs = performance.now() - started;
  const outcome = await exploding;
  const took = performance.now() - started;

  expect([...ends, 'TIMEOUT']).toContain(outcome.status === 'failed' ? outcome.error.code : outcome.status);
  expect(took).toBeLessThan(LIMITS.wallMs + LATE_MS);
  expect(neighbour).toMatchObject({ status: 'completed', value: 2 });
  expect(neighbourMs).toBeLessThan(LATE_MS);
  expect(JSON.stringify(outcome).length).toBeLessThan(100_000);
  expect(sandbox.size.runs).toBe(0);
});

it('leaves neither threads nor memory behind', async () => {
  await sleep(500);
  expect(sandbox.size).toEqual({ threads: WORKERS + 1, runs: 0 });
  expect(process.memoryUsage().rss - memoryBefore).toBeLessThan(600 * 1024 * 1024);
  const after = await sandbox.run({ organization: 'bomber', code: 'return 1' });
  expect(after).toMatchObject({ status: 'completed', value: 1 });
});

it('ends more bombs than it has workers, and the neighbour is only delayed', async () => {
  const limits = { cpuMs: 500, wallMs: 3_000 };
  const bombs = Array.from({ length: 6 }, () => sandbox.run({ organization: 'bomber', code: 'while (true);', limits }));
  await sleep(50);
  const started = performance.now();
  const neighbour = await sandbox.run({ organization: 'neighbour', code: 'return 1' });
  expect(neighbour.status).toBe('completed');
  // The second organization waits at most for the bombs (programs that exhaust a resource) that are already running.
  expect(performance.now() - started).toBeLessThan(limits.cpuMs + LATE_MS);
  for (const { status } of await Promise.all(bombs)) expect(status).toBe('failed');
});
