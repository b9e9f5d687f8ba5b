import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createNetServer,
  type Server as NetServer,
  type Socket,
} from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEgress } from '@drawbridge/egress';
import { proxySettings } from './docker-settings.js';
import { PROXY_LIMITS, type ProxyLimits, worstCaseBytes } from './proxy-limits.js';
import { proxyServer } from './proxy-server.js';

const servers: NetServer[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

async function listening(server: NetServer): Promise<number> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const proxyTo = (allow: string[], limits?: ProxyLimits) =>
  listening(proxyServer(createEgress({ allow }), { clients: '127.0.0.0/8', ...(limits && { limits }) }));

/** Sends a request to a proxy. `path` is the absolute URL. */
async function send(port: number, path: string, { method = 'GET', body = '', localAddress = '127.0.0.1' } = {}) {
  const headers = { 'x-given': 'kept' };
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, method, headers, localAddress, agent: false });
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

describe('a proxy that many programs use', () => {
  const LIMITS = { connections: 8, requests: 8, sockets: 20, perClient: 6 };
  const held: Socket[] = [];
  afterEach(() => held.splice(0).forEach((socket) => socket.destroy()));

  /** Opens connections of one client that send nothing. */
  async function hold(port: number, localAddress: string, count: number): Promise<void> {
    const sockets = Array.from({ length: count }, () => connect({ port, host: '127.0.0.1', localAddress }));
    for (const socket of sockets) socket.on('error', () => undefined);
    held.push(...sockets);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    await sleep(50);
  }

  it('serves a new client while others use all that they may', async () => {
    const proxy = await proxyTo([], LIMITS);
    for (const client of ['127.0.0.11', '127.0.0.12', '127.0.0.13']) await hold(proxy, client, 10);
    await sleep(1_200); // until the connections that are not served are closed
    expect(await send(proxy, 'http://127.0.0.1:1/', { localAddress: '127.0.0.14' })).toMatchObject({ status: 403 });
  });

  it('refuses a client that uses more than the others leave, with 503', async () => {
    const proxy = await proxyTo([], LIMITS);
    await hold(proxy, '127.0.0.11', 4);
    const busy = { status: 503, text: expect.stringContaining('TOO_BUSY') };
    expect(await send(proxy, 'http://127.0.0.1:1/', { localAddress: '127.0.0.11' })).toMatchObject(busy);
    expect(await send(proxy, 'http://127.0.0.1:1/', { localAddress: '127.0.0.12' })).toMatchObject({ status: 403 });
    held.splice(0).forEach((socket) => socket.destroy());
    await sleep(50);
    expect(await send(proxy, 'http://127.0.0.1:1/', { localAddress: '127.0.0.11' })).toMatchObject({ status: 403 });
  });

  it('refuses requests without TLS beyond their limit, and continues after they end', async () => {
    const waiting: ServerResponse[] = [];
    const target = await listening(createServer((_request, response) => void waiting.push(response)));
    const proxy = await proxyTo([`127.0.0.1:${target}`], { ...LIMITS, requests: 2 });
    const url = `http://127.0.0.1:${target}/`;
    const first = send(proxy, url);
    while (waiting.length === 0) await sleep(10);
    expect(await send(proxy, url)).toMatchObject({ status: 503 });
    waiting.pop()!.end('x');
    expect(await first).toMatchObject({ status: 200 });
    await sleep(50);
    const next = send(proxy, url);
    while (waiting.length === 0) await sleep(10);
    waiting.pop()!.end('y');
    expect(await next).toMatchObject({ status: 200, text: 'y' });
  });

  it('fits into its memory in the worst case, on an engine and in a cluster', () => {
    const manifest = join(import.meta.dirname, '../../../deploy/kubernetes/sandbox/egress-proxy.yaml');
    const gibibytes = Number(/limits: .*memory: (\d+)Gi/.exec(readFileSync(manifest, 'utf8'))?.[1]);
    const settings = { name: '', image: '', instance: '', command: [], network: '', env: {} };
    const { Memory, Ulimits } = proxySettings(settings).HostConfig!;
    expect(worstCaseBytes(PROXY_LIMITS)).toBeLessThan(Math.min(Memory!, gibibytes * 1024 ** 3));
    const descriptors = Ulimits!.find(({ Name }) => Name === 'nofile')!.Hard!;
    expect(PROXY_LIMITS.sockets + PROXY_LIMITS.connections).toBeLessThan(descriptors - 500);
  });
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

it('ends the tunnel of a client that left before the tunnel was open, although its server never ends', async () => {
  const open = new Set<Socket>();
  const target = await listening(
    createNetServer({ allowHalfOpen: true }, (socket) => {
      open.add(socket.resume());
      socket.on('error', () => open.delete(socket)); // EPIPE or ECONNRESET, after the proxy has closed its side
    }),
  );
  const proxy = await proxyTo([`127.0.0.1:${target}`]);
  const clients = Array.from({ length: 8 }, () => connect(proxy, '127.0.0.1').on('error', () => undefined));
  for (const client of clients) client.end(`CONNECT 127.0.0.1:${target} HTTP/1.1\r\nhost: x\r\n\r\n`).resume();
  await Promise.all(clients.map((client) => once(client, 'close')));
  for (let tries = 0; open.size > 0 && tries < 60; tries++) {
    for (const socket of open) socket.write('x');
    await sleep(50);
  }
  expect(open.size).toBe(0);
}, 20_000);

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
