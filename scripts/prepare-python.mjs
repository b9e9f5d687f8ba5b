// `pnpm python`: prepares the Python environment of the tests of packages/sdk-python, in .cache/python. Nothing of it is part of the product.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { ROOT, run, step } from './step.mjs';

const REQUIREMENTS = join(ROOT, 'packages/sdk-python/requirements-dev.txt');
const FOLDER = join(ROOT, '.cache/python');
const STAMP = join(FOLDER, 'fetched');

export const PREPARE_PYTHON = 'pnpm python';

const wanted = () => createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
const isPrepared = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted();

/** Creates the environment once for each version of the requirements. Throws an error with a message for the operator. */
export async function preparePython() {
  if (isPrepared()) return;
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  await withLock(`${FOLDER}.lock`, async () => {
    if (isPrepared()) return;
    rmSync(FOLDER, { recursive: true, force: true });
    await step('Preparing Python packages for tests (about 100 MB, once)', async () => {
      await run('python3', ['-m', 'venv', FOLDER]);
      await run(join(FOLDER, 'bin/pip'), ['install', '--quiet', '--no-deps', '-r', REQUIREMENTS]);
      // The first run of pyright downloads the type checker.
      await run(join(FOLDER, 'bin/pyright'), ['--version']);
    });
    writeFileSync(STAMP, wanted());
  });
}

/** Returns the folder of the commands, or undefined if the environment is not prepared. */
export const findPython = () => (isPrepared() ? join(FOLDER, 'bin') : undefined);

if (process.argv[1] === import.meta.filename) await preparePython();
