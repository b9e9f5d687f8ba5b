// `pnpm mcp-clients`: downloads third-party MCP software for the tests: the official conformance suite, inspector and Python client, and
// mcp-remote. They need a newer Node.js than the product, and no package of the workspace depends on them: `npm start` does not download them.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { ROOT, run, step } from './step.mjs';

const PINNED = join(ROOT, 'e2e/mcp-clients');
const NPM = ['package.json', 'package-lock.json'];
const PYTHON = 'requirements.txt';
const CACHE = join(ROOT, '.cache/mcp-clients');
const STAMP = join(CACHE, 'fetched');

export const FETCH_MCP_CLIENTS = 'pnpm mcp-clients';

/** Downloads the clients once for each version of the files that pin them. Throws an error whose message is for the operator. */
export async function prepareMcpClients() {
  if (isReady()) return;
  await withLock(join(ROOT, '.cache/mcp-clients.lock'), async () => {
    if (isReady()) return;
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    for (const file of NPM) copyFileSync(join(PINNED, file), join(CACHE, file));
    await step('Fetching MCP clients (about 80 MB, once)', async () => {
      await run('npm', ['ci', '--prefix', CACHE, '--ignore-scripts', '--no-audit', '--no-fund']);
      await run('python3', ['-m', 'venv', join(CACHE, 'python')]);
      await run(join(CACHE, 'python/bin/pip'), ['install', '--quiet', '--no-deps', '-r', join(PINNED, PYTHON)]);
    });
    writeFileSync(STAMP, wanted());
  });
}

/** Returns whether the clients are downloaded in the versions that are pinned now. */
function isReady() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted();
}

function wanted() {
  const hash = createHash('sha256');
  for (const file of [...NPM, PYTHON]) hash.update(readFileSync(join(PINNED, file)));
  return hash.digest('hex');
}

/** Returns the paths of the clients, or undefined if they are not downloaded. `node` is a Node.js that is new enough for them. */
export function findMcpClients() {
  if (!isReady()) return undefined;
  const own = [`node-${process.platform}-${process.arch}`].map((name) => join(CACHE, 'node_modules', name, 'bin/node'));
  const node = [...own, process.execPath].find((path) => existsSync(path));
  return { node, python: join(CACHE, 'python/bin/python'), bin: (name) => join(CACHE, 'node_modules/.bin', name) };
}

if (process.argv[1] === import.meta.filename) await prepareMcpClients();
