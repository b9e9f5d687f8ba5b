// `pnpm node-versions`: downloads the versions of Node.js on which `npm run test:full` runs some suites, and other runtimes for the TypeScript SDK.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pinned } from './fetch-pinned.mjs';

const versions = pinned({
  folder: 'e2e/node-versions',
  title: 'Fetching Node.js 22 and 24, Bun, Deno and workerd (about 250 MB, once)',
});

/** Downloads the versions. Throws an error with a message for the operator. */
export const prepareNode = () => versions.fetch();

/** Returns the variables that make commands use a version (22 or 24); undefined if it is not downloaded or not made for this machine. */
export function onNode(major) {
  const node = join(versions.cache, 'node_modules', `node-${major}-${process.platform}-${process.arch}`, 'bin/node');
  if (!versions.isFetched() || !existsSync(node)) return undefined;
  return { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

const ARCH = { x64: ['x64', 'x64', '64'], arm64: ['aarch64', 'arm64', 'arm64'] }[process.arch] ?? [];
const PROGRAMS = {
  bun: `@oven/bun-${process.platform}-${ARCH[0]}/bin/bun`,
  deno: `@deno/${process.platform}-${ARCH[1]}-glibc/deno`,
  workerd: `@cloudflare/workerd-${process.platform}-${ARCH[2]}/bin/workerd`,
};

/** Returns the program of a runtime (bun, deno or workerd); undefined if it is not downloaded or not made for this machine. */
export function runtime(name) {
  const program = join(versions.cache, 'node_modules', PROGRAMS[name]);
  return versions.isFetched() && existsSync(program) ? program : undefined;
}

if (process.argv[1] === import.meta.filename) await prepareNode();
