// Makes organizations and users for the test files, in the process of the run: a process for each, as the admin command is one, is mostly
// its start. The command has tests of its own, in packages/cli.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { openAdmin } from '@drawbridge/members/admin';

/** Answers `{ databaseUrl, plansFile, organization }` with the organization that was made, and `{ databaseUrl, user }` with the user. */
export async function startAdminServer() {
  const server = createServer((request, response) => {
    json(request)
      .then(make)
      .then(
        (created) => response.end(JSON.stringify(created)),
        (error) => response.writeHead(500).end(String(error.stack)),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

async function make({ databaseUrl, plansFile = '', organization, user }) {
  const admin = await openAdmin(databaseUrl, plansFile);
  const made = user ? admin.createUser(user) : admin.createOrganization(organization);
  return made.finally(() => admin.close());
}
