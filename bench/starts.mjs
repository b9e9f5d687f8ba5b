// `node bench/starts.mjs`: measures the time from `npm start` until the product is ready, and the memory of the idle product.
//   --starts 5   number of later starts
//   --idle 20    idle seconds before the memory is read
//   --fresh      also measures the first start in a fresh clone of the last commit
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from '@drawbridge/postgres';
import { prepare } from '../scripts/prepare.mjs';
import { median, table } from './figures.mjs';
import { family } from './processes.mjs';

const ROOT = join(import.meta.dirname, '..');

const { values } = parseArgs({
  options: {
    starts: { type: 'string', default: '5' },
    idle: { type: 'string', default: '20' },
    fresh: { type: 'boolean', default: false },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'drawbridge-starts-'));
try {
  if (values.fresh) await freshClone(join(folder, 'clone'));
  await laterStarts(join(folder, 'data'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function freshClone(clone) {
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  const run = await npmStart(clone, join(clone, '.data'));
  console.log(`fresh clone: ready after ${run.seconds.toFixed(1)} s\n${run.steps.join('\n')}`);
  await end(run);
}

async function laterStarts(data) {
  await prepare();
  const first = await npmStart(ROOT, data);
  await first.stop();
  const seconds = [];
  for (let left = Number(values.starts) - 1; left > 0; left--) {
    const run = await npmStart(ROOT, data);
    seconds.push(run.seconds);
    await run.stop();
  }
  const last = await npmStart(ROOT, data);
  seconds.push(last.seconds);
  console.log(`\nfirst start of a database: ready after ${first.seconds.toFixed(2)} s`);
  console.log(
    `later starts: ${seconds.map((value) => value.toFixed(2)).join(', ')} s; median ${median(seconds).toFixed(2)} s`,
  );
  await sleep(Number(values.idle) * 1000);
  console.log(`\nidle for ${values.idle} s, MB\n${memoryOf(last.pid)}`);
  await end(last);
}

/** Runs `npm start` as a user would. Resolves when the product prints that it is ready. */
async function npmStart(cwd, dataDir) {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0' };
  const start = performance.now();
  const npm = spawn('npm', ['start'], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(npm, 'exit');
  const kill = () => npm.kill('SIGTERM');
  process.once('exit', kill);
  let text = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (text += chunk));
  while (!text.includes('Drawbridge is ready')) {
    if (npm.exitCode !== null) throw new Error(text);
    await sleep(5);
  }
  const stop = async () => {
    kill();
    const [code] = await exited;
    process.off('exit', kill);
    if (code !== 0) throw new Error(`npm start ended with ${code}\n${text}`);
  };
  const steps = text.split('\n').filter((line) => / done, /.test(line));
  return { seconds: (performance.now() - start) / 1000, steps, pid: npm.pid, dataDir, stop };
}

async function end({ stop, dataDir }) {
  await stop();
  const server = await startPostgres({ dataDir });
  await server.discard(); // If the benchmark runs as root, the database is not in DATA_DIR.
}

/**
 * Returns PSS and RSS. PSS divides shared memory between the processes that map it. RSS counts it for each process, which matters most for
 * PostgreSQL's buffers.
 */
function memoryOf(npmPid) {
  const processes = family([npmPid]).map(({ pid }) => ({ pid, name: nameOf(pid), ...sizesOf(pid) }));
  const npm = processes.filter(({ pid }) => pid === npmPid);
  const postgres = processes.filter(({ name }) => name === 'postgres');
  const product = processes.filter((one) => !npm.includes(one) && !postgres.includes(one));
  const row = (title, list) => [title, ...['pss', 'rss'].map((key) => sum(list, key).toFixed(0)), String(list.length)];
  return table([
    ['', 'PSS', 'RSS', 'processes'],
    row('the product', product),
    row('its PostgreSQL', postgres),
    row('both', [...product, ...postgres]),
    row('npm, which waits', npm),
  ]);
}

function nameOf(pid) {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
}

function sizesOf(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const megabytes = (field) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1024;
  return { pss: megabytes('Pss'), rss: megabytes('Rss') };
}

function sum(list, key) {
  return list.reduce((total, one) => total + one[key], 0);
}
