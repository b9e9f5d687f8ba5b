// `node bench/sandbox.mjs`: measures the start time, the throughput and the idle cost of sandbox runs, compared with a bare
// worker thread.
//   --runs 200     measured runs of each row
//   --seconds 3    duration of the throughput measurements
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { openSandbox } from '@drawbridge/sandbox';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '200' }, seconds: { type: 'string', default: '3' } },
});
const [RUNS, SECONDS] = [Number(values.runs), Number(values.seconds)];
const WORKERS = 2;
const IDLE = 50;
const INPUT = { items: Array.from({ length: 20 }, (_, id) => ({ id, name: `name ${id}` })) };
const functions = { f: async ({ args }) => args[0] };

const ROWS = [
  ['return 1', { code: 'return 1' }],
  [
    'filter a list of 20',
    { code: 'return input.items.filter(({ id }) => id % 2).map(({ name }) => name)', input: INPUT },
  ],
  ['TypeScript', { code: 'const one: number = 1; return one' }],
  ['10 host calls', { code: 'for (let at = 0; at < 10; at++) await f(at); return 1', functions }],
];

const cold = await measure(async () => {
  const sandbox = openSandbox({ workers: WORKERS });
  await sandbox.run({ organization: 'a', code: 'return 1' });
  await sandbox.close();
}, 10);
const bare = await measure(bareWorker, 20);

// One caller uses all workers, because the benchmark does not measure limits per organization.
const shares = { workersPerOrganization: WORKERS, workersPerCaller: WORKERS, atOnce: 200, atOncePerCaller: 200 };
const sandbox = openSandbox({ workers: WORKERS, ...shares, waiting: 10_000 });
const run = (request) => sandbox.run({ organization: 'a', ...request });
await Promise.all(Array.from({ length: 20 }, () => run(ROWS[2][1])));

const rows = [
  { what: 'cold: open, run, close', ...cold },
  { what: 'bare worker thread: start, answer, end', ...bare },
];
for (const [what, request] of ROWS) {
  rows.push({
    what: `warm: ${what}`,
    ...(await measure(() => run(request), RUNS)),
    ...(await throughput(request)),
  });
}
rows.push({ what: 'warm: after an endless loop was killed', ...(await measure(afterKill, 5)) });
console.log(`${availableParallelism()} processors, ${WORKERS} workers; times in ms`);
console.table(rows);
await measureIdle();
await sandbox.close();

async function afterKill() {
  await run({ code: 'while (true);', limits: { cpuMs: 1 } });
  return run({ code: 'return 1' });
}

async function measure(work, count) {
  const times = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (part) => Number(times[Math.min(count - 1, Math.floor(count * part))].toFixed(1));
  return { p50: at(0.5), p95: at(0.95) };
}

/** Keeps eight runs running. The processor time of a run shows the throughput of a machine without other load. */
async function throughput(request) {
  const until = performance.now() + SECONDS * 1_000;
  let done = 0;
  const work = async () => {
    while (performance.now() < until) {
      const { status } = await run(request);
      if (status !== 'completed') throw new Error(`The run ${status}`);
      done++;
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: 8 }, work));
  const { user, system } = process.cpuUsage(before);
  return { 'runs/s': Math.round(done / SECONDS), 'CPU ms a run': Number(((user + system) / 1_000 / done).toFixed(2)) };
}

async function bareWorker() {
  const worker = new Worker('require("node:worker_threads").parentPort.postMessage(1)', { eval: true });
  await new Promise((resolve) => worker.once('message', resolve));
  await worker.terminate();
}

/** Measures the memory of many runs that wait for a host call at the same time. */
async function measureIdle() {
  globalThis.gc?.();
  await sleep(500);
  const before = process.memoryUsage().rss;
  let answer;
  const wait = new Promise((resolve) => (answer = resolve));
  const waiting = Array.from({ length: IDLE }, () => run({ code: 'return f()', functions: { f: () => wait } }));
  await sleep(2_000);
  const used = process.memoryUsage().rss - before;
  answer(1);
  await Promise.all(waiting);
  const each = (used / IDLE / 2 ** 20).toFixed(2);
  console.log(`${IDLE} idle VMs: ${(used / 2 ** 20).toFixed(0)} MB more resident memory, ${each} MB each`);
}
