// `pnpm kafka`: one real Kafka node on this machine, in the foreground, for development and tests.
//   --port 9092    where it listens on 127.0.0.1; 0 = a free port
//   --data FOLDER  where it keeps its data; .data/kafka
// Whoever spawns it waits for the line `kafka ready on 127.0.0.1:PORT` and ends it with SIGTERM.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const deploy = join(root, 'deploy/kafka');
const cache = join(root, '.cache/kafka');

const { values } = parseArgs({
  options: { port: { type: 'string', default: '9092' }, data: { type: 'string', default: join(root, '.data/kafka') } },
});
const data = resolve(values.data);
if (!/^\d{1,5}$/.test(values.port)) fail(`--port must be a number, not ${values.port}`);

requireTool(
  'java',
  ['-version'],
  'a JDK or JRE, version 17 or later (Debian: apt-get install openjdk-17-jre-headless)',
);
fetchJars();
const port = await freePort(Number(values.port));
const properties = await writeProperties(port);
format(properties);
run(properties, port);

function requireTool(command, args, what) {
  if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return;
  fail(`Kafka needs ${command}: install ${what}.`);
}

/** Fetched once for each content of the pom.xml. */
function fetchJars() {
  const pom = join(deploy, 'pom.xml');
  const stamp = join(cache, 'fetched');
  const wanted = createHash('sha256').update(readFileSync(pom)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  requireTool('mvn', ['-version'], 'Maven (Debian: apt-get install maven)');
  console.log('Fetching Kafka (about 45 MB, once) …');
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(cache, 'lib')}`];
  const { status } = spawnSync('mvn', ['-B', '-ntp', '-f', pom, ...goal], { stdio: 'inherit' });
  if (status !== 0) fail('Maven could not fetch Kafka; its output above says why.');
  writeFileSync(stamp, wanted);
}

async function writeProperties(port) {
  const controller = await freePort();
  mkdirSync(data, { recursive: true });
  const file = join(data, 'server.properties');
  const own = [
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    `controller.quorum.voters=1@127.0.0.1:${controller}`,
    `log.dirs=${join(data, 'log')}`,
  ];
  writeFileSync(file, [readFileSync(join(deploy, 'server.properties'), 'utf8'), ...own, ''].join('\n'));
  return file;
}

/** A folder is formatted once, with a cluster id of 16 random bytes. */
function format(properties) {
  if (existsSync(join(data, 'log/meta.properties'))) return;
  console.log(`Formatting ${data} …`);
  const id = `--cluster-id=${randomBytes(16).toString('base64url')}`; // one word: an id may begin with a dash
  try {
    execFileSync('java', [...jvm(), 'kafka.tools.StorageTool', 'format', id, '-c', properties], { stdio: 'pipe' });
  } catch (error) {
    fail(`Kafka could not format ${data}:\n${error.stdout}${error.stderr}`);
  }
}

function run(properties, port) {
  console.log(`Starting Kafka on 127.0.0.1:${port}, data and log in ${data} …`);
  const command = ['-Xmx512m', ...jvm(), 'kafka.Kafka', properties];
  const kafka = spawn('java', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  createInterface({ input: kafka.stdout }).on('line', (line) => {
    if (line.includes('Kafka Server started')) console.log(`kafka ready on 127.0.0.1:${port}`);
    else console.error(line);
  });

  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      kafka.kill(asked ? 'SIGKILL' : 'SIGTERM');
      asked = true;
    });
  }
  kafka.on('exit', (code) => {
    if (!asked) console.error(`Kafka ended by itself; ${join(data, 'server.log')} says why.`);
    process.exit(asked ? 0 : code || 1);
  });
}

function jvm() {
  return [
    `-Ddrawbridge.kafka.log=${join(data, 'server.log')}`,
    `-Dlog4j2.configurationFile=${join(deploy, 'log4j2.xml')}`,
    '-cp',
    join(cache, 'lib/*'),
  ];
}

/** The port itself if nobody listens there; any free one for 0. */
function freePort(wanted = 0) {
  return new Promise((done) => {
    const server = createServer().listen(wanted, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
    server.on('error', ({ code }) =>
      fail(`Cannot listen on 127.0.0.1:${wanted} (${code}); choose another with --port.`),
    );
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
