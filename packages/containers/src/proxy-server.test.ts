import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEgress } from '@drawbridge/egress';
import { proxyServer } from './proxy-server.js';

const servers: NetServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listening(server: NetServer): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const proxyTo = (allow: string[], clients = '127.0.0.0/8') =>
  listening(proxyServer(createEgress({ allow }), { clients }));

/** Sends a request to a proxy. `path` is the absolute URL. */
async function send(port: number, path: string, { method = 'GET', body = '' } = {}) {
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, headers: { 'x-given': 'kept' }, agent: false });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  let text = '';
  for await (const chunk of answer) text += chunk;
  return { status: answer.statusCode, text };
}

async function connectThrough(port: number, to: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`CONNECT ${to} HTTP/1.1\r\nhost: ${to}\r\n\r\n`);
  const [head] = await once(socket, 'data');
  socket.destroy();
  return String(head);
}

it('forwards requests by the rules of egress', async () => {
  const seen: unknown[] = [];
  const target = await listening(
    createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      seen.push([request.method, request.url, request.headers['x-given'], request.headers['x-svc-egress'], text]);
      response.writeHead(201).end('answer');
    }),
  );
  const proxy = await proxyTo([`127.0.0.1:${target}`]);
  const answer = await send(proxy, `http://127.0.0.1:${target}/a?b`, { method: 'POST', body: 'x' });
  expect(answer).toEqual({ status: 201, text: 'answer' });
  expect(seen).toEqual([['POST', '/a?b', 'kept', '1', 'x']]);
});

it('refuses private addresses, its own pages and credentials in a URL', async () => {
  const proxy = await proxyTo([]);
  for (const url of ['http://127.0.0.1:1/', 'http://localhost/', 'http://169.254.169.254/latest', 'http://[::1]/']) {
    expect(await send(proxy, url)).toMatchObject({ status: 403, text: expect.stringContaining('EGRESS_DENIED') });
  }
  expect(await send(proxy, '/')).toMatchObject({ status: 403, text: expect.stringContaining('INVALID_URL') });
  expect(await send(proxy, 'http://a:b@x.example/')).toMatchObject({ status: 403 });
});

it('opens tunnels to allowed hosts, and to public ones on port 443 only', async () => {
  const target = await listening(createServer());
  const proxy = await proxyTo([`127.0.0.1:${target}`]);
  expect(await connectThrough(proxy, `127.0.0.1:${target}`)).toMatch(/^HTTP\/1.1 200 /);
  expect(await connectThrough(proxy, '8.8.8.8:25')).toMatch(/^HTTP\/1.1 403 .*a tunnel can only reach port 443/s);
  for (const to of ['127.0.0.1:443', '10.0.0.1:443', 'localhost:443', 'x', '[::ffff:127.0.0.1]:443', 'a@b:443']) {
    expect(await connectThrough(proxy, to)).toMatch(/^HTTP\/1.1 (403|502|400) /);
  }
});

it('serves no client outside of the networks of runs', async () => {
  const proxy = await listening(proxyServer(createEgress()));
  await expect(send(proxy, 'http://127.0.0.1/')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

it('keeps a few connections of one client, and others work again after they end', async () => {
  const proxy = await proxyTo([]);
  const sockets = Array.from({ length: 300 }, () => connect(proxy, '127.0.0.1').on('error', () => undefined));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const open = (): number => sockets.filter((socket) => !socket.destroyed).length;
  for (let looks = 0; open() > 32 && looks < 100; looks++) await sleep(100);
  await sleep(200);
  expect(open()).toBe(32);

  for (const socket of sockets) socket.destroy();
  const sent = () => send(proxy, 'http://127.0.0.1:1/').catch(() => undefined);
  let answer = await sent();
  for (let looks = 0; !answer && looks < 100; looks++, answer = await sent()) await sleep(100);
  expect(answer).toMatchObject({ status: 403 });
});

it('answers one request of a connection, so that pipelined requests do not run at once', async () => {
  let seen = 0;
  const target = await listening(
    createServer((_request, response) => void (seen++, setTimeout(() => response.end('x'), 100))),
  );
  const proxy = await proxyTo([`127.0.0.1:${target}`]);
  const socket = connect(proxy, '127.0.0.1').on('error', () => undefined);
  socket.write(`GET http://127.0.0.1:${target}/ HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(50));
  socket.resume();
  await once(socket, 'close');
  expect(seen).toBe(1);
});

it('ends the tunnel of a client that left, although its server never ends', async () => {
  const held: Socket[] = [];
  const target = await listening(createNetServer({ allowHalfOpen: true }, (socket) => void held.push(socket.resume())));
  const proxy = await proxyTo([`127.0.0.1:${target}`]);
  const socket = connect(proxy, '127.0.0.1');
  socket.write(`CONNECT 127.0.0.1:${target} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await once(socket, 'data');
  socket.end();
  const writing = setInterval(() => held[0]?.write('x'), 200);
  await once(held[0]!, 'error').finally(() => clearInterval(writing)); // EPIPE or ECONNRESET
}, 15_000);
