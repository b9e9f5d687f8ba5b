import { setTimeout as sleep } from 'node:timers/promises';
import { buffer } from 'node:stream/consumers';
import type { WebSocket } from 'ws';
import { attach, type AttachedStreams } from './kubernetes-attach.js';
import { type ApiServer, startApiServer } from './testing/api-server.js';

let server: ApiServer;
let opened: AttachedStreams[] = [];

beforeEach(async () => void (server = await startApiServer()));
afterEach(async () => {
  for (const { input } of opened) input.destroy();
  opened = [];
  await server.close();
});

async function connect(more: { pingMs?: number; signal?: AbortSignal } = {}): Promise<AttachedStreams> {
  const access = async () => ({ url: server.url, ca: '', token: 'secret' });
  const query = { container: 'run', stdin: 'true' };
  const request = { path: '/attach', query, purpose: 'connect', signal: AbortSignal.timeout(5_000), ...more };
  const streams = await attach(access, request);
  opened.push(streams);
  return streams;
}

const message = (channel: number, bytes: string | Buffer): Buffer =>
  Buffer.concat([Buffer.of(channel), Buffer.from(bytes)]);
const text = async ({ output }: AttachedStreams): Promise<string> => (await buffer(output)).toString();

it.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])('exchanges input and output by %s', async (protocol) => {
  server.protocol = protocol;
  server.attach = (socket) => {
    for (const channel of [1, 2, 3]) socket.send(message(channel, '')); // Older servers begin with empty messages.
    socket.on('message', (data: Buffer) => {
      expect(data[0]).toBe(0);
      socket.send(message(1, data.subarray(1)));
      socket.send(message(3, '{"status":"Success"}'));
    });
  };
  const streams = await connect();
  streams.input.write('hello');
  expect(await text(streams)).toBe('hello');
  expect(streams.input.destroyed).toBe(true);
  expect(server.calls).toMatchObject([
    { path: '/attach', token: 'secret', query: { container: 'run', stdin: 'true' } },
  ]);
});

it('receives output that arrives together with the response of the handshake', async () => {
  server.attach = (socket) => {
    socket.send(message(1, 'early'));
    socket.close();
  };
  expect(await text(await connect())).toBe('early');
});

it('sends a large input in pieces, in order and complete', async () => {
  const input = Buffer.alloc(5_000_000, 'abcdefg');
  const received: Buffer[] = [];
  server.attach = (socket) =>
    socket.on('message', (data: Buffer) => {
      received.push(data.subarray(1));
      if (received.reduce((sum, { length }) => sum + length, 0) === input.length) socket.close();
    });
  const streams = await connect();
  streams.input.write(input);
  await text(streams);
  expect(Buffer.concat(received).equals(input)).toBe(true);
  expect(Math.max(...received.map(({ length }) => length))).toBe(65_536);
});

it('stops reading while its output is not read', async () => {
  let sent = 0;
  server.attach = (socket) => {
    const send = (): void =>
      socket.send(message(1, Buffer.alloc(30_000)), () => {
        sent += 30_000;
        if (sent < 100_000_000 && socket.readyState === 1) send();
      });
    send();
  };
  const { output } = await connect();
  let before: number;
  do {
    before = sent;
    await sleep(500);
  } while (sent > before || sent === 0);
  expect(before).toBeLessThan(20_000_000); // what the buffers of two sockets hold
  output.resume();
  while (sent === before) await sleep(10);
});

describe.each<[string, (socket: WebSocket) => void]>([
  ['closes', (socket) => socket.close()],
  ['loses the connection', (socket) => socket.terminate()],
  ['reports a failure', (socket) => socket.send(message(3, '{"status":"Failure"}'))],
  ['sends text', (socket) => socket.send('1text')],
  ['sends an empty message', (socket) => socket.send(Buffer.alloc(0))],
  ['sends an unknown channel', (socket) => socket.send(message(7, 'x'))],
  ['sends a message that is too large', (socket) => socket.send(message(1, Buffer.alloc(2_000_000)))],
  ['sends too many errors', (socket) => socket.send(message(2, 'x'.repeat(5_000)))],
])('a server that %s', (_, misbehave) => {
  it('ends the output and destroys the input', async () => {
    server.attach = (socket) => {
      socket.send(message(1, 'before'));
      misbehave(socket);
    };
    const streams = await connect();
    expect(await text(streams)).toBe('before');
    await sleep(10);
    expect(streams.input.destroyed).toBe(true);
  });
});

it.each([401, 403, 404, 500])('fails with the status %i of a refused connection', async (status) => {
  server.refuse = [status];
  await expect(connect()).rejects.toMatchObject({ status, purpose: 'connect' });
});

it('fails if the server selects no protocol', async () => {
  server.protocol = false;
  await expect(connect()).rejects.toThrow('Could not connect: Server sent no subprotocol');
});

it('fails if the server is unreachable', async () => {
  await server.close();
  await expect(connect()).rejects.toThrow('Could not connect: ECONNREFUSED');
});

it('stops connecting when its signal aborts', async () => {
  await expect(connect({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped');
});

it('closes the connection when its input is destroyed', async () => {
  const closed = new Promise((done) => (server.attach = (socket) => socket.on('close', done)));
  const { input } = await connect();
  input.destroy();
  await closed;
});

it('ends a connection that answers no ping, and keeps one that does', async () => {
  // The third ping is sent only after the second one was answered.
  const pinged = new Promise<void>((resolve) => {
    let pings = 0;
    server.attach = (socket) => socket.on('ping', () => ++pings === 3 && resolve());
  });
  const kept = await connect({ pingMs: 500 });
  server.attach = (socket) => (socket as unknown as { _socket: { pause(): void } })._socket.pause();
  const lost = await connect({ pingMs: 30 });
  expect(await text(lost)).toBe('');
  await pinged;
  expect(kept.input.destroyed).toBe(false);
});
