// `pnpm bench`: compares the cost of an action with that of the direct call, in alternating rounds. See README.md.
//   --rounds 3     number of rounds
//   --seconds 0.7  duration of each measurement; three times as long at a fixed rate
//   --only a,b     only these subjects (direct, proxy, commit, execute, "execute, plan", "execute, key", "execute, 2 processes", summary, code,
//                  "code mode", containers), without the breakdown
//   --check        fails if a ratio of bench/figures.json fell by more than 15 %, for this major version of Node.js
//   --keep         writes the ratios to bench/figures.json
//   --profile DIR  also writes a CPU profile of the product to DIR
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runVisibly } from '../scripts/step.mjs';
import { breakDown, startTraced } from './breakdown.mjs';
import { apply, MODES } from './load.mjs';
import { cpuOf, cpuOfMachine, startServer } from './processes.mjs';
import { preload, startProduct } from './product.mjs';
import { fallenRows, toRatios } from './ratios.mjs';
import { report, toFigures } from './report.mjs';
import { openSubjects } from './subjects.mjs';

/**
 * The number of calls to each process before the first measurement, and the maximum duration for each process in seconds. V8 compiles code during
 * about this number of calls of an action. A server runs for days, so this phase is not measured.
 */
const WARM_UP = { calls: 20_000, seconds: 20 };
/** Duration of a warm-up before each measurement, because a subject that was idle for some seconds starts slowly. */
const RUN_UP_SECONDS = 0.3;

const LEGEND = `median of the rounds (best round)
CPU: of the processes behind a call, with PostgreSQL and what a run's event costs after its answer
÷ direct, − commit, − both: p50 over that of the direct call, of the bare commit, of one after the other`;

const GROUP = 'execute, 2 processes';

/** Subjects that a separate script measures, because they are start times and memory, which the modes of other subjects do not have. */
const SCRIPTS = { code: 'sandbox.mjs', 'code mode': 'code-mode.mjs', containers: 'containers.mjs' };

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '0.7' },
    only: { type: 'string' },
    profile: { type: 'string' },
    check: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
});
/** The subjects to measure, or undefined for all. The comma of a name, such as that of `execute, plan`, is followed by a space. */
const names = values.only?.split(/,(?! )/);
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const stops = [];
const stopAll = async () => {
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopAll().finally(() => process.exit(130)));

try {
  await bench();
} finally {
  await stopAll();
}

async function bench() {
  const scripts = Object.keys(SCRIPTS).filter((name) => names?.includes(name) ?? true);
  if (!names || names.length > scripts.length) await benchSubjects();
  await stopAll();
  for (const name of scripts) await runScript(SCRIPTS[name]);
}

/**
 * Runs a script. Scripts run one at a time, because each uses all processors. A script that lacks a requirement, such as Docker, prints its name, and
 * the other scripts still run.
 */
async function runScript(file) {
  say(`\nrunning ${file}\n`);
  if ((await runVisibly(process.execPath, [join(import.meta.dirname, file)])) !== 0) process.exitCode = 1;
}

async function benchSubjects() {
  const provider = await started('provider', startServer('provider.mjs'));
  const proxy = await started('proxy', startServer('proxy.mjs', provider.url));
  const product = await started('product', startProduct(provider.url, profiling()));
  const isWanted = names?.includes(GROUP) ?? true;
  const group =
    isWanted && (await started('product of 2 processes', startProduct(provider.url, { WEB_CONCURRENCY: '2' })));
  const subjects = await openSubjects({ provider, proxy, product, group });
  stops.push(subjects.close);

  const figures = await measureAll(wanted(subjects.list));
  console.log(`\n${report(figures)}\n`);
  console.log(`${LEGEND}\n`);
  compare(toRatios(figures));
  if (!values.only) console.log(await traceSome(provider));
}

/** Compares the ratios with the stored ratios, or stores them. Each major version of Node.js has separate ratios. */
function compare(ratios) {
  const file = join(import.meta.dirname, 'figures.json');
  const all = JSON.parse(readFileSync(file, 'utf8'));
  const [major] = process.versions.node.split('.');
  const fallen = values.check ? fallenRows(ratios, all[major]) : [];
  for (const row of fallen) console.error(row);
  if (fallen.length > 0) process.exitCode = 1;
  if (!values.keep) return;
  all[major] = { ...all[major], ...ratios };
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}

async function traceSome(provider) {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-trace-'));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const product = await started('traced product', startTraced(provider.url, folder));
  return breakDown(product, folder, seconds * 7);
}

async function started(name, starting) {
  say(`starting ${name}\n`);
  // Registers the stop before the start completes, because a signal can arrive in between. A failed start has nothing to stop.
  stops.push(() => starting.then(({ stop }) => stop()).catch(() => undefined));
  return starting;
}

async function measureAll(subjects) {
  for (const subject of subjects) {
    say(`warming up ${subject.name}\n`);
    await warmUp(subject);
  }
  const figures = [];
  for (let round = 1; round <= rounds; round++) {
    for (const mode of MODES) for (const subject of subjects) figures.push(await measure(subject, mode, round));
  }
  return figures;
}

async function warmUp(subject) {
  const { processes = 1 } = subject;
  const end = performance.now() + WARM_UP.seconds * processes * 1000;
  for (let calls = 0; calls < WARM_UP.calls * processes && performance.now() < end;) {
    const { latencies } = await apply(subject, { inFlight: 32 }, 2);
    calls += latencies.length;
  }
  await subject.settle?.();
}

async function measure(subject, mode, round) {
  await apply(subject, mode, RUN_UP_SECONDS);
  await subject.settle?.();
  const before = cpuOf(subject.pids);
  const [machineBefore, start] = [cpuOfMachine(), performance.now()];
  const { latencies, seconds: lasted } = await apply(subject, mode, seconds * mode.share);
  const busy = (cpuOfMachine() - machineBefore) / (performance.now() - start) / cpus().length;
  await subject.settle?.();
  const cpuMs = cpuOf(subject.pids) - before;
  const measured = { round, subject: subject.name, mode: mode.name, latencies, seconds: lasted, cpuMs };
  const figures = toFigures(measured);
  const place = `round ${round}/${rounds}  ${mode.name.padEnd(13)}  ${subject.name.padEnd(12)}`;
  const machine = `processors ${(busy * 100).toFixed(0)} % busy, load ${loadavg()[0].toFixed(1)}`;
  say(`${place}  p50 ${figures.p50.toFixed(2)} ms  ${figures.rate.toFixed(0)}/s  ${machine}\n`);
  return figures;
}

function wanted(subjects) {
  return names ? subjects.filter(({ name }) => names.includes(name)) : subjects;
}

function profiling() {
  if (!values.profile) return {};
  return { NODE_OPTIONS: preload('profile.mjs'), PROFILE_DIR: resolve(values.profile) };
}

function say(text) {
  process.stderr.write(text);
}
