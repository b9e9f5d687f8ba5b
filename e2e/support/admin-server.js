// Does what operators do for the test files (operator.ts), in the process of the run.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openAdmin } from '@drawbridge/members/admin';

/** Answers `{ databaseUrl, plansFile, command, args }` with what the command of that name returned. */
export async function startAdminServer() {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close'); // kept, it could end in the moment in which it is used again
    json(request)
      .then(run)
      .then(
        (result) => response.end(JSON.stringify(result)),
        (error) => response.writeHead(500).end(described(error)),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([...kept].map(([key, its]) => close(key, its)));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

/** Opening is most of the work of a command, and a file gives several of them: what was opened stays so for a moment. */
const IDLE_MS = 2_000;
const kept = new Map();

async function run({ databaseUrl, plansFile, command, args }) {
  const key = JSON.stringify([databaseUrl, plansFile && readFileSync(plansFile, 'utf8')]);
  const its = kept.get(key) ?? open(key, databaseUrl, plansFile);
  clearTimeout(its.idle);
  its.users += 1;
  try {
    return await (await its.opening)[command](...args);
  } finally {
    its.users -= 1;
    if (its.users === 0) its.idle = setTimeout(() => void close(key, its), IDLE_MS);
  }
}

/** What could not be opened is tried anew. */
function open(key, ...place) {
  const its = { opening: openAdmin(...place), users: 0 };
  kept.set(key, its);
  its.opening.catch(() => kept.delete(key));
  return its;
}

async function close(key, { opening, idle }) {
  clearTimeout(idle);
  kept.delete(key);
  await opening.then((admin) => admin.close()).catch(() => undefined);
}

const described = ({ code, details, stack }) => `${code} ${JSON.stringify(details)} ${stack}`;
