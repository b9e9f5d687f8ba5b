// Installs and builds this clone if necessary, before each command that runs from it. If everything is up to date this takes a few milliseconds.
// Progress is printed to standard error.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { contentHash, sourceFingerprint } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { ROOT, run, step } from './step.mjs';

const STATE = join(ROOT, '.cache/prepared.json');
const ENTRY = join(ROOT, 'packages/cli/dist/index.js');
const { packageManager } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Updates node_modules and each dist/ if the sources changed. On failure prints a message and exits with code 1. */
export async function prepare() {
  requireNode();
  if (isReady()) return;
  try {
    await withLock(join(ROOT, '.cache/prepare.lock'), installAndBuild);
  } catch (error) {
    const isNotOurs = ['EACCES', 'EPERM', 'EROFS'].includes(error.code);
    console.error(
      isNotOurs ? `This user may not write to ${ROOT}, and it needs to be built: ${error.message}` : error.message,
    );
    process.exit(1);
  }
}

async function installAndBuild() {
  const lockfile = lockfileHash();
  if (!isInstalled(lockfile)) {
    await step('Installing dependencies', () =>
      pnpm('install', '--frozen-lockfile', '--config.confirm-modules-purge=false'),
    );
    save({ lockfile });
  }
  const sources = sourceFingerprint();
  if (!isBuilt(sources)) {
    await step('Building', build);
    save({ lockfile, sources });
  }
}

/**
 * Runs the pinned package manager through `npm exec`, because a machine with only Node.js has no pnpm. If the home folder is not writable, npm uses
 * a folder of this clone.
 */
export function pnpm(...args) {
  return run('npm', ['exec', '--yes', '--', packageManager, ...args], { HOME: usableHome() });
}

function usableHome() {
  try {
    accessSync(homedir(), constants.W_OK);
    return homedir();
  } catch {
    const home = join(ROOT, '.cache/home');
    mkdirSync(home, { recursive: true });
    return home;
  }
}

function isReady() {
  return isInstalled(lockfileHash()) && isBuilt(sourceFingerprint());
}

function isInstalled(lockfile) {
  return existsSync(join(ROOT, 'node_modules/.modules.yaml')) && saved().lockfile === lockfile;
}

function isBuilt(sources) {
  return existsSync(ENTRY) && saved().sources === sources;
}

function lockfileHash() {
  return contentHash(['pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs']);
}

function saved() {
  try {
    return JSON.parse(readFileSync(STATE, 'utf8'));
  } catch {
    return {};
  }
}

function save(state) {
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(STATE, JSON.stringify(state));
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Drawbridge needs Node.js 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}
