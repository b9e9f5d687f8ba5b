// `node bench/catalog.mjs`: measures the cost of loading all pieces in one process, from the import to the catalog as JSON.
//   --rounds 9   number of processes, in sequence
// It needs a build. Each round starts a new process, because a second import in the same process costs nothing.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { median, table } from './figures.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' }, once: { type: 'boolean' } } });

if (values.once) console.log(JSON.stringify(await loadOnce()));
else print(Array.from({ length: Number(values.rounds) }, loadInProcess));

function loadInProcess() {
  const command = ['--expose-gc', import.meta.filename, '--once'];
  return JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8' }));
}

async function loadOnce() {
  globalThis.gc();
  const before = process.memoryUsage();
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  const { describe } = await import('@drawbridge/piece-kit');
  const { pieces } = await import('@drawbridge/pieces');
  const [loaded, { user, system }] = [performance.now(), process.cpuUsage(cpu)];
  const text = JSON.stringify(Object.values(pieces).map((piece) => describe(piece)));
  const printed = performance.now();
  const { rss } = process.memoryUsage();
  globalThis.gc();
  const { heapUsed } = process.memoryUsage();
  return {
    pieces: Object.keys(pieces).length,
    kilobytes: text.length / 1024,
    load: loaded - start,
    cpu: (user + system) / 1000,
    print: printed - loaded,
    heap: (heapUsed - before.heapUsed) / 1024 / 1024,
    rss: (rss - before.rss) / 1024 / 1024,
  };
}

function print(rounds) {
  const of = (key) => rounds.map((round) => round[key]);
  const row = (title, key) => [title, median(of(key)).toFixed(1), Math.max(...of(key)).toFixed(1)];
  const { pieces, kilobytes } = rounds[0];
  console.log(`${pieces} pieces, ${kilobytes.toFixed(0)} kB as a catalog; ${rounds.length} processes\n`);
  console.log(
    table([
      ['', 'median', 'worst'],
      row('load, ms', 'load'),
      row('load, CPU ms', 'cpu'),
      row('print the catalog, ms', 'print'),
      row('heap that stays, MB', 'heap'),
      row('RSS at its end, MB', 'rss'),
    ]),
  );
}
