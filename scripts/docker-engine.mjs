// `node scripts/docker-engine.mjs`: starts a separate Docker engine with the sandbox image, in the foreground, for development and
// tests. Needs root.
//   --data FOLDER  folder for all files that the engine writes. Default: a temporary folder, which is deleted at the end
//   --empty        starts without the sandbox image
// A parent process waits for the line `docker ready on unix:///…` and stops the engine with SIGTERM. The engine changes no firewall rule and creates
// no bridge by itself. Networks that a client created and did not remove are removed at the end.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { IMPORT_OPTIONS, prepareSandboxImage } from '../deploy/sandbox/build.mjs';

const START_MS = 30_000;
const { values } = parseArgs({ options: { data: { type: 'string' }, empty: { type: 'boolean' } } });
const data = values.data ?? mkdtempSync(join(tmpdir(), 'drawbridge-docker-'));
const host = `unix://${join(data, 'docker.sock')}`;
let isAsked = false;

try {
  const image = values.empty ? undefined : await prepareSandboxImage();
  await run(image);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function run(image) {
  const engine = startEngine();
  const exited = once(engine, 'exit');
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      isAsked = true;
      void end(engine, exited);
    });
  }
  try {
    await untilReady(exited);
    if (image) docker('import', ...IMPORT_OPTIONS, image, 'drawbridge-sandbox');
    console.log(`docker ready on ${host}`);
  } catch (error) {
    if (!isAsked) console.error(`${error.message}\n${readFileSync(join(data, 'dockerd.log'), 'utf8').slice(-2_000)}`);
    await end(engine, exited);
  }
  const [code] = await exited;
  if (!values.data) rmSync(data, { recursive: true, force: true });
  process.exit(isAsked ? 0 : code || 1);
}

function startEngine() {
  mkdirSync(data, { recursive: true });
  // An empty settings file. The engine would otherwise read the machine's daemon.json, and exits if an option is set there and in a flag below.
  writeFileSync(join(data, 'daemon.json'), '{}');
  const options = { host, 'config-file': join(data, 'daemon.json'), pidfile: join(data, 'docker.pid'), bridge: 'none' };
  const folders = { 'data-root': join(data, 'root'), 'exec-root': join(data, 'exec') };
  const named = Object.entries({ ...options, ...folders }).map(([name, value]) => `--${name}=${value}`);
  const off = ['iptables', 'ip6tables', 'ip-masq', 'ip-forward'].map((name) => `--${name}=false`);
  const log = openSync(join(data, 'dockerd.log'), 'a');
  // The engine runs in a separate process group, because Ctrl-C must not reach it before its containers are removed.
  const engine = spawn('dockerd', [...named, ...off], { stdio: ['ignore', log, log], detached: true });
  closeSync(log);
  return engine;
}

async function untilReady(exited) {
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  const giveUpAt = Date.now() + START_MS;
  while (spawnSync('docker', ['-H', host, 'version'], { stdio: 'ignore' }).status !== 0) {
    if (hasExited || Date.now() > giveUpAt) throw new Error('The Docker engine did not start.');
    await sleep(100);
  }
}

/** Removes containers and networks that clients left, because the engine alone would leave bridges and mounts of running containers. */
async function end(engine, exited) {
  removeAll(['ps', '-aq'], ['rm', '-f']);
  removeAll(['network', 'ls', '-q', '--filter', 'type=custom'], ['network', 'rm']);
  if (values.empty) removeUnused();
  engine.kill('SIGTERM');
  await Promise.race([exited, sleep(15_000)]);
  engine.kill('SIGKILL');
}

/** Removes unused images and build caches. The folder of --data would otherwise grow with each build. */
function removeUnused() {
  for (const what of [
    ['image', 'prune', '--force'],
    ['builder', 'prune', '--force', '--keep-storage', '2GB'],
  ])
    spawnSync('docker', ['-H', host, ...what], { stdio: 'ignore' });
}

function removeAll(list, remove) {
  const { stdout } = spawnSync('docker', ['-H', host, ...list], { encoding: 'utf8' });
  const found = stdout?.split(/\s+/).filter(Boolean);
  if (found?.length) spawnSync('docker', ['-H', host, ...remove, ...found], { stdio: 'ignore' });
}

function docker(...args) {
  execFileSync('docker', ['-H', host, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}
