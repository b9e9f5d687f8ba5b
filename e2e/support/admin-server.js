// Does what operators do for the test files (operator.ts), in the process of the run.
import { once } from 'node:events';
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
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

async function run({ databaseUrl, plansFile, command, args }) {
  const admin = await openAdmin(databaseUrl, plansFile);
  return admin[command](...args).finally(() => admin.close());
}

const described = ({ code, details, stack }) => `${code} ${JSON.stringify(details)} ${stack}`;
