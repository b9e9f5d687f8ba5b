// Runs operators' commands for all test files (operator.ts) in the process of the test run.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openAdmin } from '@drawbridge/members/admin';

/** Starts a server that accepts `{ databaseUrl, plansFile, command, args }` and returns the result of that command. */
export async function startAdminServer() {
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close'); // a kept-alive connection could close at the moment of its next use
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

/** Milliseconds that an opened admin stays open after its last command. A test file runs several commands, and opening takes most of their time. */
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

/** Opens the admin. A failed opening is removed from the cache, so that the next command tries again. */
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
