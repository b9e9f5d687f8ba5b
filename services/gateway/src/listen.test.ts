import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { serveInOrder } from './listen.js';

let server: Server;
let client: Socket;
let seen: { path?: string; response: ServerResponse }[];

beforeEach(async () => {
  seen = [];
  server = createServer(
    serveInOrder(({ url }, response) => {
      seen.push({ path: url, response });
      server.emit('served');
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
});
afterEach(async () => {
  client.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const send = (...paths: string[]): unknown =>
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));

const arrivals = (count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    server.on('request', () => --left === 0 && resolve());
  });

const paths = (): unknown[] => seen.map(({ path }) => path);

it('begins with a request when the one before it is answered', async () => {
  const arrived = arrivals(3);
  send('/1', '/2', '/3');
  await arrived;
  expect(paths()).toEqual(['/1']);
  for (const [index, path] of ['/2', '/3'].entries()) {
    const served = once(server, 'served');
    seen[index]!.response.end(`answer to ${index}`);
    await served;
    expect(paths().at(-1)).toBe(path);
  }
});

it('closes every answer that it began when the connection breaks, and begins no other', async () => {
  const arrived = arrivals(3);
  send('/1', '/2', '/3');
  await arrived;
  const closed = Promise.all(seen.map(({ response }) => once(response, 'close')));
  client.destroy();
  await closed;
  expect(paths()).toEqual(['/1']);
});

it('cuts a connection that sends nine without an answer', async () => {
  const arrived = arrivals(8);
  send(...Array.from({ length: 8 }, (_, index) => `/${index}`));
  await arrived;
  expect(client.destroyed).toBe(false);
  const closed = once(client.resume(), 'close');
  send('/9');
  await closed;
  expect(paths()).toEqual(['/0']);
});
