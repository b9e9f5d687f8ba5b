import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeUnread } from './connections.js';

/** Larger than the socket buffers of server and client together. A smaller response would be sent although the client reads nothing. */
const ANSWER = Buffer.alloc(32 * 1024 * 1024);
const PACE = { checkMs: 100, checks: 10 };

let server: Server;
let client: Socket;

beforeEach(async () => {
  server = createServer((_request, response) => void response.end(ANSWER));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Returns the server's socket of a connection that waits for a response. */
async function ask(): Promise<Socket> {
  client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => undefined);
  const opened = once(server, 'connection');
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return (await opened)[0];
}

it('cuts a connection of a client that reads nothing', async () => {
  const isUnread = closeUnread(server, PACE);
  const socket = await ask();
  let wasUnread = false;
  const watch = setInterval(() => (wasUnread ||= isUnread(socket)), PACE.checkMs / 2);
  await once(socket, 'close');
  clearInterval(watch);
  expect({ wasUnread, isUnread: isUnread(socket) }).toEqual({ wasUnread: true, isUnread: false });
});

it('leaves one of a client that reads slowly, though the answer is a single write', async () => {
  closeUnread(server, PACE);
  const socket = await ask();
  let heard = 0;
  client.on('data', (chunk: Buffer) => {
    heard += chunk.length;
    client.pause();
    void sleep(5).then(() => client.resume());
  });
  const startedAt = performance.now();
  while (heard < ANSWER.length && !socket.destroyed) await sleep(PACE.checkMs);
  expect(heard).toBeGreaterThanOrEqual(ANSWER.length);
  expect(performance.now() - startedAt).toBeGreaterThan(PACE.checkMs * PACE.checks);
});
