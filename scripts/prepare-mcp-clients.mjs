// `pnpm mcp-clients`: fetches what others wrote to speak MCP with, for the tests: the official conformance suite, inspector and Python
// client, and mcp-remote. They want a newer Node.js than we do, and stand in no package of ours: whoever only starts the product fetches none.
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

/** Once for each content of the files that pin them. Throws what to tell the operator. */
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

/** Whether they are there, as they are pinned now. */
function isReady() {
  return existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted();
}

function wanted() {
  const hash = createHash('sha256');
  for (const file of [...NPM, PYTHON]) hash.update(readFileSync(join(PINNED, file)));
  return hash.digest('hex');
}

/** Where they are; undefined when they were not fetched. `node`: one that is new enough for them. */
export function findMcpClients() {
  if (!isReady()) return undefined;
  const own = [`node-${process.platform}-${process.arch}`].map((name) => join(CACHE, 'node_modules', name, 'bin/node'));
  const node = [...own, process.execPath].find((path) => existsSync(path));
  return { node, python: join(CACHE, 'python/bin/python'), bin: (name) => join(CACHE, 'node_modules/.bin', name) };
}

if (process.argv[1] === import.meta.filename) await prepareMcpClients();
