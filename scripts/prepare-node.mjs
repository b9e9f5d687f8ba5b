// `pnpm node-versions`: downloads the versions of Node.js on which `npm run test:full` runs some suites, beside the installed one.
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { pinned } from './fetch-pinned.mjs';

const versions = pinned({ folder: 'e2e/node-versions', title: 'Fetching Node.js 22 and 24 (about 100 MB, once)' });

/** Downloads the versions. Throws an error with a message for the operator. */
export const prepareNode = () => versions.fetch();

/** Returns the variables that make commands use a version (22 or 24); undefined if it is not downloaded or not made for this machine. */
export function onNode(major) {
  const node = join(versions.cache, 'node_modules', `node-${major}-${process.platform}-${process.arch}`, 'bin/node');
  if (!versions.isFetched() || !existsSync(node)) return undefined;
  return { PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
}

if (process.argv[1] === import.meta.filename) await prepareNode();
