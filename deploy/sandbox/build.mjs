// node deploy/sandbox/build.mjs: builds the root file system of the sandbox image as .cache/sandbox/image.tar and prints its path. Needs root and
// debootstrap; pulls no image. `--cache FOLDER` replaces .cache/sandbox. Import the image with
//   docker import --change 'USER 65534:65534' --change 'WORKDIR /tmp' .cache/sandbox/image.tar drawbridge-sandbox
// The content is the Debian packages below, the Node.js that runs this file, the libraries of package-lock.json, and the programs of this folder.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { withLock } from '../../scripts/lock.mjs';
import { run } from '../../scripts/step.mjs';

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../..');
const { values } = parseArgs({ options: { cache: { type: 'string' } }, strict: false });
const CACHE = values.cache ?? join(ROOT, '.cache/sandbox');
const FOLDER = join(CACHE, 'root');
const STAMP = join(CACHE, 'base');
const IMAGE = join(CACHE, 'image.tar');
const PROXY = join(ROOT, 'packages/containers/dist/egress-proxy.js');

/** Options of `docker import` for the image. */
export const IMPORT_OPTIONS = ['--change', 'USER 65534:65534', '--change', 'WORKDIR /tmp'];

const SUITE = 'bookworm';
const PACKAGES = ['ca-certificates', 'curl', 'jq', 'libstdc++6', 'python3'];
const LIBRARIES = ['bs4', 'dateutil', 'jinja2', 'lxml', 'requests', 'tz', 'yaml'].map((name) => `python3-${name}`);
const PROGRAMS = ['supervisor.py', 'run.mjs', 'run.py'];
const UNNEEDED = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/share/info', 'var/cache', 'var/lib/apt'];

/** Builds what is missing or outdated. Returns the path of the image. */
export async function prepareSandboxImage() {
  if (!existsSync(PROXY)) throw new Error(`There is no ${PROXY}: run pnpm build first.`);
  mkdirSync(CACHE, { recursive: true });
  await withLock(join(CACHE, 'lock'), async () => {
    const wanted = stampOf(['build.mjs', 'package-lock.json'], process.version);
    if (!isStamped(STAMP, wanted)) await buildBase(wanted);
    await addPrograms();
  });
  return IMAGE;
}

async function buildBase(wanted) {
  if (process.getuid?.() !== 0)
    throw new Error('The sandbox image is built by root (debootstrap changes the owner of files).');
  await runCommand('debootstrap', ['--version']);
  console.error('Building the sandbox image (about a minute, once) …');
  rmSync(FOLDER, { recursive: true, force: true });
  const include = [...PACKAGES, ...LIBRARIES].join(',');
  await runAlone('debootstrap', ['--variant=minbase', `--include=${include}`, SUITE, FOLDER]);
  cpSync(realpathSync(process.execPath), join(FOLDER, 'usr/local/bin/node'));
  for (const file of ['package.json', 'package-lock.json']) cpSync(join(HERE, file), join(FOLDER, file));
  await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', FOLDER]);
  for (const path of UNNEEDED) rmSync(join(FOLDER, path), { recursive: true, force: true });
  // Removes the setuid and setgid bits, so that code in the sandbox cannot run a program as another user.
  await runCommand('find', [FOLDER, '-xdev', '-type', 'f', '-perm', '/6000', '-exec', 'chmod', 'a-s', '{}', '+']);
  mkdirSync(join(FOLDER, 'files'), { recursive: true });
  writeFileSync(STAMP, wanted);
  rmSync(IMAGE, { force: true });
}

async function addPrograms() {
  const wanted = stampOf(PROGRAMS, readFileSync(PROXY));
  const stamp = join(CACHE, 'image');
  if (existsSync(IMAGE) && isStamped(stamp, wanted)) return;
  const folder = join(FOLDER, 'opt/drawbridge');
  mkdirSync(folder, { recursive: true });
  for (const file of PROGRAMS) cpSync(join(HERE, file), join(folder, basename(file)));
  await bundleProxy(join(folder, 'egress-proxy.mjs'));
  chmodSync(folder, 0o755);
  await runCommand('tar', ['-C', FOLDER, '--numeric-owner', '-cf', IMAGE, '.']);
  writeFileSync(stamp, wanted);
}

function bundleProxy(outfile) {
  const banner = `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);`;
  const options = { bundle: true, platform: 'node', target: 'node20', format: 'esm', banner: { js: banner } };
  return build({ entryPoints: [PROXY], outfile, logLevel: 'error', ...options });
}

function stampOf(files, more) {
  const hash = createHash('sha256').update(more);
  for (const file of files) hash.update(readFileSync(join(HERE, file)));
  return hash.digest('hex');
}

const isStamped = (file, wanted) => existsSync(file) && readFileSync(file, 'utf8') === wanted;

/**
 * Runs a command in its own mount and process namespaces, and ends it when this process ends, even by SIGKILL. debootstrap mounts /proc in its folder:
 * a mount that stays behind makes the next build fail.
 */
function runAlone(command, args) {
  const endWithParent = ['--pdeathsig', 'KILL', 'unshare', '--mount', '--pid', '--fork', '--kill-child'];
  return runCommand('setpriv', [...endWithParent, command, ...args]);
}

/** Runs a command asynchronously, because this process must update the time of its lock file every second (scripts/lock.mjs). */
async function runCommand(command, args) {
  try {
    await run(command, args);
  } catch (error) {
    if (error.code === 'ENOENT') throw new Error(`${command} is missing (Debian: apt-get install ${command})`);
    throw new Error(`${command} failed:\n${error.message.slice(-2_000)}`, { cause: error });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await prepareSandboxImage());
