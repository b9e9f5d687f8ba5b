// `node scripts/prepare-compose.mjs`: Docker Compose for `npm run test:deploy`, on machines where neither the engine nor Debian brings version 2. Builds
// it with Go from the public module proxy, once (67 MB; two to four minutes).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, step } from './step.mjs';

const MODULE = 'github.com/docker/compose/v2';
/** A version with a client that also talks to the engine of Debian 12. */
const VERSION = 'v2.40.3';
const BINARY = join(ROOT, `.cache/compose/${VERSION}/docker-compose`);

/** Returns the command for Docker Compose 2; undefined without one. */
export function composeCommand() {
  if (spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0) return ['docker', 'compose'];
  return existsSync(BINARY) ? [BINARY] : undefined;
}

/** Builds Docker Compose unless the machine has it. Throws an error with a message for the operator. */
export async function prepareCompose() {
  if (composeCommand()) return;
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0)
    throw new Error(
      'Docker Compose 2 is missing: apt-get install docker-compose-v2 or docker-compose-plugin, or install Go',
    );
  const folder = join(ROOT, '.cache/compose');
  await step('Building Docker Compose (once)', async () => {
    // `go install` refuses modules that replace others, so the module is built in a copy of its folder.
    const { Dir } = JSON.parse(await run('go', ['mod', 'download', '-json', `${MODULE}@${VERSION}`]));
    const source = join(folder, 'source');
    rmSync(source, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await run('cp', ['-r', '--no-preserve=mode', Dir, source]);
    const flags = ['-trimpath', `-ldflags=-s -w -X ${MODULE}/internal.Version=${VERSION}`, '-o', BINARY];
    await run('go', ['build', '-C', source, ...flags, './cmd']);
    rmSync(source, { recursive: true });
  });
}

if (process.argv[1] === import.meta.filename) await prepareCompose();
