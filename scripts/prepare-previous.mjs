// Builds the previous version of the product for the tests of an upgrade, in a folder of .cache: the last tag `v*` before this commit, or without a tag
// the commit in deploy/previous-version.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { ROOT, run, step } from './step.mjs';

const CACHE = join(ROOT, '.cache/previous');

/** Returns the commit of the previous version; undefined if this clone does not contain it, for example a shallow clone. */
export function previousCommit() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^');
  const name = tag ?? readFileSync(join(ROOT, 'deploy/previous-version'), 'utf8').trim();
  return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
}

/** Builds the previous version once. Returns the folder of its repository. Throws an error with a message for the operator. */
export async function preparePrevious() {
  const commit = previousCommit();
  if (!commit) throw new Error('This clone lacks the previous version. Fetch it: git fetch --unshallow --tags');
  const folder = join(CACHE, commit);
  const built = join(folder, 'built');
  if (existsSync(built)) return folder;
  mkdirSync(CACHE, { recursive: true });
  await withLock(`${CACHE}.lock`, async () => {
    if (existsSync(built)) return;
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await step('Building the previous version (about 3 minutes, once)', () => build(commit, folder));
    writeFileSync(built, '');
  });
  return folder;
}

async function build(commit, folder) {
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder]);
  const { packageManager } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const pnpm = `npm exec --yes -- ${packageManager}`;
  const steps = `cd "$1" && ${pnpm} install --frozen-lockfile --silent && ${pnpm} run --silent build`;
  await run('sh', ['-c', steps, 'sh', folder]);
}

/** Returns the output of a Git command without its newline; undefined if it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

if (process.argv[1] === import.meta.filename) console.log(await preparePrevious());
