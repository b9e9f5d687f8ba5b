// `pnpm mcp-clients`: downloads third-party MCP software for the tests: the official conformance suite, inspector and Python client, mcp-remote, and
// Claude Code. This software needs a newer Node.js than the product. No package of the workspace depends on it, so `npm start` does not download it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pinned } from './fetch-pinned.mjs';
import { ROOT, run } from './step.mjs';

const FOLDER = 'e2e/mcp-clients';
const PYTHON = 'requirements.txt';

const clients = pinned({
  folder: FOLDER,
  title: 'Fetching MCP clients (about 200 MB, once)',
  more: [PYTHON],
  install: async () => {
    const { cache } = clients;
    await run('python3', ['-m', 'venv', join(cache, 'python')]);
    const install = ['install', '--quiet', '--no-deps', '-r', join(ROOT, FOLDER, PYTHON)];
    await run(join(cache, 'python/bin/pip'), install);
  },
});

export const FETCH_MCP_CLIENTS = 'pnpm mcp-clients';

/** Downloads the clients. Throws an error with a message for the operator. */
export const prepareMcpClients = () => clients.fetch();

/** Returns the paths of the clients, or undefined if they are not downloaded. `node` is a Node.js that is new enough for them. */
export function findMcpClients() {
  const { cache } = clients;
  if (!clients.isFetched()) return undefined;
  const own = join(cache, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  const node = [own, process.execPath].find((path) => existsSync(path));
  const claude = join(cache, 'node_modules/@anthropic-ai', `claude-code-${process.platform}-${process.arch}`, 'claude');
  return {
    node,
    claude,
    python: join(cache, 'python/bin/python'),
    bin: (name) => join(cache, 'node_modules/.bin', name),
  };
}

if (process.argv[1] === import.meta.filename) await prepareMcpClients();
