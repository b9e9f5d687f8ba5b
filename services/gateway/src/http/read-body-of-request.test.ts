import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { type Request } from 'express';
import { LARGE_BYTES, readBody } from './read-body.js';

const LIMIT = 1_000_000;

interface Read {
  text?: string;
  error?: { code: string; status: number; message: string };
  /** True if the body was read without a listener for its data. */
  isWhole: boolean;
}

let server: Server;
let reads: Promise<Read>[];
/** Called before the body of a request is read. */
let before: (request: Request) => Promise<unknown>;
/** Called for a large body. */
let makeRoom: () => Promise<void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    const asked = Object.assign(request, { get: (name: string) => request.headers[name] }) as unknown as Request;
    reads.push(read(asked).finally(() => response.end()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => ([reads, before, makeRoom] = [[], async () => undefined, async () => undefined]));
afterAll(() => void server.close());

async function read(request: Request): Promise<Read> {
  let isWhole = true;
  request.on('newListener', (event) => (isWhole &&= event !== 'data'));
  await before(request);
  try {
    return { text: (await readBody(request, { limit: LIMIT, makeRoom: () => makeRoom() })).toString(), isWhole };
  } catch (error) {
    return { error: error as Required<Read>['error'], isWhole };
  }
}

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const head = (length: number, more = ''): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${more}\r\n`;

async function untilAsked(): Promise<Read> {
  while (reads.length === 0) await new Promise(setImmediate);
  return reads[0]!;
}

it('reads a body that arrives with the headers at once', async () => {
  const socket = await open();
  socket.write(`${head(5)}hello`);
  expect(await untilAsked()).toEqual({ text: 'hello', isWhole: true });
  socket.destroy();
});

it('reads each body of pipelined requests', async () => {
  const socket = await open();
  socket.write(`${head(3)}one${head(0)}${head(5)}three`);
  while (reads.length < 3) await new Promise(setImmediate);
  expect((await Promise.all(reads)).map(({ text }) => text)).toEqual(['one', '', 'three']);
  socket.destroy();
});

it.each([
  ['before it', (socket: Socket) => void socket.write(head(10))],
  ['with its beginning', (socket: Socket) => void socket.write(`${head(10)}01234`)],
])('waits for a body when the headers arrive %s', async (_name, begin) => {
  const socket = await open();
  begin(socket);
  const pending = untilAsked();
  while (reads.length === 0) await new Promise(setImmediate);
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.write('0123456789'.slice(socket.bytesWritten - head(10).length));
  expect(await pending).toEqual({ text: '0123456789', isWhole: false });
  socket.destroy();
});

describe.each([LARGE_BYTES + 1, 80_000, 125_000, 500_000])('a body of %i bytes', (bytes) => {
  const body = 'x'.repeat(bytes);

  it('waits for its slot', async () => {
    let hasRoom = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => {
      makeRoom = () => (resolve(), new Promise((end) => (hasRoom = end)));
    });
    const socket = await open();
    socket.write(head(body.length) + body);
    await isAsked;
    let isRead = false;
    void untilAsked().then(() => (isRead = true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isRead).toBe(false);
    hasRoom();
    expect(await untilAsked()).toEqual({ text: body, isWhole: false });
    socket.destroy();
  });

  it('fails if it gets no slot', async () => {
    makeRoom = () => Promise.reject(Object.assign(new Error('full'), { code: 'RATE_LIMITED' }));
    const socket = await open();
    socket.write(head(body.length) + body);
    expect(await untilAsked()).toMatchObject({ error: { code: 'RATE_LIMITED' } });
    socket.destroy();
  });
});

it('rejects a body in chunks above the limit, although its length is not announced', async () => {
  const socket = await open();
  const size = LIMIT + 1;
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`);
  socket.write(`${'x'.repeat(size)}\r\n0\r\n\r\n`);
  expect(await untilAsked()).toMatchObject({ error: { code: 'VALIDATION_ERROR', status: 413 } });
  socket.destroy();
});

it('decompresses a body that arrives with the headers', async () => {
  const body = gzipSync('hello');
  const socket = await open();
  socket.write(Buffer.concat([Buffer.from(head(body.length, 'Content-Encoding: gzip\r\n')), body]));
  expect(await untilAsked()).toMatchObject({ text: 'hello' });
  socket.destroy();
});

it.each([
  ['before the body is read', (request: Request) => new Promise((resolve) => request.once('close', resolve))],
  ['while the body arrives', async () => undefined],
])('fails without delay if the client disconnects %s', async (_name, wait) => {
  before = wait;
  const socket = await open();
  socket.write(`${head(10)}01234`, () => socket.destroy());
  expect(await untilAsked()).toMatchObject({
    error: { code: 'VALIDATION_ERROR', status: 400, message: 'The request body ended early' },
  });
});
