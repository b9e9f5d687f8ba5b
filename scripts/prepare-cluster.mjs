// `node scripts/prepare-cluster.mjs`: the components of Kubernetes for `npm run test:deploy -- cluster`. Builds them with Go from the public module
// proxy as one program, once for each version (150 MB; five to fifteen minutes on two cores).
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from './fingerprint.mjs';
import { ROOT, run, step } from './step.mjs';

const SOURCE = 'e2e/deploy/cluster/node';
const FILES = ['go.mod', 'go.sum', 'main.go'].map((name) => join(SOURCE, name));
const VERSION = { gitVersion: 'v1.31.4', gitMajor: '1', gitMinor: '31' };

/** The program; its first argument names the component. */
export const NODE_PROGRAM = join(ROOT, `.cache/cluster/${contentHash(FILES).slice(0, 12)}/node`);

/** Throws an error with the output of the compiler if it fails. */
export async function prepareCluster() {
  if (existsSync(NODE_PROGRAM)) return;
  const cache = join(ROOT, '.cache/cluster');
  mkdirSync(dirname(NODE_PROGRAM), { recursive: true });
  await step('Building Kubernetes (once)', async () => {
    const version = Object.entries(VERSION).map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`);
    const flags = ['-trimpath', `-ldflags=-s -w ${version.join(' ')}`, '-o', `${NODE_PROGRAM}.new`];
    await run('go', ['build', '-C', join(ROOT, SOURCE), ...flags, '.']);
    renameSync(`${NODE_PROGRAM}.new`, NODE_PROGRAM);
  });
  for (const name of readdirSync(cache))
    if (join(cache, name) !== dirname(NODE_PROGRAM)) rmSync(join(cache, name), { recursive: true });
}

if (process.argv[1] === import.meta.filename) await prepareCluster();
