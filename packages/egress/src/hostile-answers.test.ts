import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { connect, createServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { createEgress, type Egress } from './index.js';
import { startCountingServer } from './testing/counting-server.js';
import { SELF_SIGNED } from './testing/self-signed.js';
import { startHostileServer, type HostileServer } from './testing/hostile-server.js';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

let egress: Egress;
let server: HostileServer | undefined;

beforeEach(() => {
  egress = createEgress({ allow: ['127.0.0.1'] });
});
afterEach(async () => {
  await egress.close();
  await server?.close();
  server = undefined;
});

const send = (url: string, request: object = {}) => egress.sendFor('acme')({ method: 'GET', url, ...request });

it.each([
  ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['a reason', 'HTTP/1.1 200 ', 'OK '],
  ['headers', OK, 'x-more: of it\r\n'],
  ['one header', `${OK}x-long: `, 'aaaa'],
  ['the space before a value', `${OK}x-far:`, '    '],
  ['a chunk extension', `${CHUNKED}1`, ';ext=aaaa'],
  ['chunks of one byte', CHUNKED, '1\r\na\r\n'],
  ['chunks of one byte with extensions', CHUNKED, '1;ext=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\na\r\n'],
  ['leading zeros of a chunk size', CHUNKED, '0'],
  ['trailers', `${CHUNKED}0\r\n`, 'x-more: of it\r\n'],
])('ends an answer with endless %s', async (_, start, rest) => {
  server = await startHostileServer(start, rest);
  const failing = send(`http://127.0.0.1:${server.port}/`, { maxBytes: 100_000 });
  await expect(failing).rejects.toMatchObject({ code: expect.stringMatching(/^(TOO_LARGE|INVALID_RESPONSE)$/) });
});

it('also counts bytes over TLS', async () => {
  const block = ';ext=aaaa'.repeat(1_000);
  const endless = createServer(SELF_SIGNED, (socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('error', () => undefined).on('drain', write);
    socket.once('data', () => socket.write(`${CHUNKED}1`, write));
  });
  await once(endless.listen(0, '127.0.0.1'), 'listening');
  const { port } = endless.address() as AddressInfo;
  const trusting = createEgress({
    allow: ['127.0.0.1'],
    connect: async () => {
      const socket = connect({ port, host: '127.0.0.1', ca: SELF_SIGNED.cert, servername: 'self-signed.example' });
      await once(socket, 'secureConnect');
      return socket;
    },
  });
  const failing = trusting.sendFor('acme')({ method: 'GET', url: `https://127.0.0.1:${port}/`, maxBytes: 100_000 });
  await expect(failing).rejects.toMatchObject({ code: 'TOO_LARGE', reason: expect.stringContaining('100000') });
  await trusting.close();
  await new Promise((closed) => endless.close(closed));
});

it('takes an honest answer of the whole size in small chunks', async () => {
  const size = 1_000_000;
  server = await startHostileServer(`${CHUNKED}${`a\r\n${'a'.repeat(10)}\r\n`.repeat(size / 10)}0\r\n\r\n`);
  expect((await send(`http://127.0.0.1:${server.port}/`, { maxBytes: size })).body).toHaveLength(size);
});

it('decodes a thousand gzip members only up to the limit', async () => {
  const members = Buffer.concat(Array.from({ length: 1_000 }, () => gzipSync(Buffer.alloc(100_000))));
  const bombs = await startCountingServer((_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(members));
  const failing = send(`http://127.0.0.1:${bombs.port}/`, { maxBytes: 1_000_000 });
  await expect(failing).rejects.toMatchObject({ code: 'TOO_LARGE' });
  await bombs.close();
});

describe('a request to which a head is answer enough', () => {
  const head = { headOnly: true, maxBytes: 1_000, timeoutMs: 500 };

  it.each([
    ['has no end', CHUNKED, '1\r\na\r\n'],
    ['never comes', `${OK}content-length: 9\r\n\r\n`, ''],
    ['is no HTTP', CHUNKED, 'zz\r\n'],
    ['is not what its coding says', `${OK}content-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}`, ''],
  ])('is answered where the body %s, and hangs up', async (_, start, rest) => {
    server = await startHostileServer(start, rest);
    expect(await send(`http://127.0.0.1:${server.port}/`, head)).toMatchObject({ status: 200 });
    await egress.close();
    while (server.open() > 0) await new Promise(setImmediate);
  });

  it.each([
    ['a head that never ends', OK, ''],
    ['an interim one', 'HTTP/1.1 103 Early Hints\r\n\r\n', ''],
  ])('fails by %s', async (_, start, rest) => {
    server = await startHostileServer(start, rest);
    await expect(send(`http://127.0.0.1:${server.port}/`, head)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

it.each(['http', 'https'])('hangs up on a server that never speaks (%s) when the time is over', async (protocol) => {
  server = await startHostileServer('');
  const failing = send(`${protocol}://127.0.0.1:${server.port}/`, { timeoutMs: 100 });
  await expect(failing).rejects.toMatchObject({ code: 'TIMEOUT', sent: protocol === 'http' });
  while (server.open() > 0) await new Promise(setImmediate);
});

describe('eight endless answers of one byte a chunk at once', () => {
  const script = `
    const block = Buffer.from(('1;ext=' + 'a'.repeat(100) + '\\r\\nx\\r\\n').repeat(500));
    const server = require('node:net').createServer((socket) => {
      const write = () => { while (!socket.destroyed && socket.write(block)); };
      socket.on('error', () => {}).on('drain', write);
      socket.once('data', () => socket.write(${JSON.stringify(CHUNKED)}, write));
    });
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  let child: ChildProcess;

  // The server is a child process, so that the test does not measure the server's memory.
  beforeEach(() => {
    child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  });
  afterEach(() => child.kill('SIGKILL'));

  it('grow this process by some tens of megabytes at most', async () => {
    const [port] = await once(createInterface({ input: child.stdout! }), 'line');
    const before = process.memoryUsage.rss();
    let most = before;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 10);
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => send(`http://127.0.0.1:${port}/`)));
    clearInterval(look);
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.code)).toEqual(
      Array.from({ length: 8 }, () => 'TOO_LARGE'),
    );
    expect((most - before) / 1e6).toBeLessThan(100);
  }, 60_000);
});
