import { type ClientHttp2Session, connect, constants } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { status } from '@grpc/grpc-js';
import { GrpcNetwork } from './grpc-client.js';
import { type GrpcServer } from './grpc-server.js';
import { seen, WHO, WORKSPACE } from './testing/members.js';
import { getWorkspace, startMembers, tokens } from './testing/networks.js';
import { type Answer, framed, GET_WORKSPACE, grpcStatus, HEALTH, raw } from './testing/raw-call.js';

const MIB = 1024 * 1024;
const ASKS_W = framed(Buffer.from('0a0177', 'hex'));
const HANGS = framed(Buffer.from('0a0468616e67', 'hex'));

let server: GrpcServer;
let neighbour: GrpcNetwork;
let token: string;

beforeAll(async () => {
  server = await startMembers();
  neighbour = new GrpcNetwork('gateway', () => `127.0.0.1:${server.port}`, tokens);
  token = await tokens.sign({ from: 'gateway', to: 'members', caller: WHO });
});
afterAll(async () => {
  neighbour.close();
  await server.drain(100);
});

/** Checks that the process still serves calls. An uncaught error fails the test run by itself. */
afterEach(async () => {
  expect(await getWorkspace(neighbour, { id: 'w' })).toMatchObject({ id: WORKSPACE.id });
});

const send = (headers: Record<string, unknown>, sent: { body?: Buffer; ends?: boolean } = {}): Promise<Answer> =>
  raw(server.port, { ':path': GET_WORKSPACE, ...headers }, sent);
const sendSigned = (body: Buffer, headers: Record<string, unknown> = {}): Promise<Answer> =>
  send({ 'x-drawbridge-caller': token, ...headers }, { body });

const openSession = (): ClientHttp2Session => connect(`http://127.0.0.1:${server.port}`).on('error', () => undefined);

describe('an unknown client', () => {
  it('is refused after the headers, without waiting for the message', async () => {
    const answer = await send({}, { ends: false });
    expect(grpcStatus(answer)).toBe(status.UNAUTHENTICATED);
  });

  it('is refused without reading its 15 MB', async () => {
    const before = seen.length;
    const answer = await send({}, { body: framed(Buffer.alloc(15 * MIB)), ends: false });
    expect(grpcStatus(answer)).toBe(status.UNAUTHENTICATED);
    expect(seen).toHaveLength(before);
  });

  it('can request health without completing the request', async () => {
    const answer = await send({ ':path': HEALTH }, { ends: false });
    expect({ status: grpcStatus(answer), body: answer.body.toString('hex') }).toEqual({
      status: 0,
      body: '00000000020801',
    });
  });

  it('can request health with a body of any size, which is not read', async () => {
    expect(grpcStatus(await send({ ':path': HEALTH }, { body: framed(Buffer.alloc(40 * MIB)), ends: false }))).toBe(0);
  });

  it.each([
    ['60 kB that are no token', { 'x-drawbridge-caller': 'x'.repeat(60_000) }],
    ['two tokens', { 'x-drawbridge-caller': 'a, b' }],
    ['a token in a binary header', { 'x-drawbridge-caller-bin': '////' }],
    ['an empty token', { 'x-drawbridge-caller': '' }],
    ['a token of no algorithm', { 'x-drawbridge-caller': 'eyJhbGciOiJub25lIn0.e30.' }],
    ['100 headers', Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'y'.repeat(100)]))],
    ['a timeout that is none', { 'grpc-timeout': 'soon' }],
    ['no timeout at all but a negative one', { 'grpc-timeout': '-1S' }],
    ['a timeout of ten thousand years', { 'grpc-timeout': '99999999H' }],
  ])('is refused with %s', async (_, headers) => {
    expect(grpcStatus(await send(headers))).not.toBe(status.OK);
  });

  it.each([
    ['an unknown method', '/drawbridge.members.v1.WorkspaceService/Nothing'],
    ['an unknown service', '/x/y'],
    ['no path', '/'],
    ['a prototype', '/__proto__/constructor'],
    ['a path of 30 kB', `/${'x'.repeat(30_000)}`],
    ['a path of escapes', '/%F0%9F%98/%00'],
    ['a path with a space and quotes', '/a b/"c"'],
    ['a path beyond ASCII', '/\u00e9\u00ff'],
  ])('gets no response from %s', async (_, path) => {
    expect(grpcStatus(await send({ ':path': path }))).not.toBe(status.OK);
  });

  it.each(['text/plain', '', 'application/grpc-web', 'application/json'])(
    'gets an error for the content type %p',
    async (type) => {
      const { headers } = await send({ 'content-type': type });
      expect(headers[':status']).not.toBe(undefined);
    },
  );

  it.each([
    ['garbage', Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    ['half a preface', Buffer.from('PRI * HTTP/2.0\r\n')],
    [
      'a preface and a frame of unknown type',
      Buffer.concat([preface(), Buffer.from('00000aff0000000000aabbccddeeff00112233', 'hex')]),
    ],
    ['a frame longer than allowed', Buffer.concat([preface(), Buffer.from('ffffff000000000001', 'hex')])],
    ['headers that no table explains', Buffer.concat([preface(), Buffer.from('000004010500000001ffffffff', 'hex')])],
  ])('may send %s and is cut off', async (_, bytes) => {
    const socket = connectSocket(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
    await new Promise(setImmediate);
    socket.destroy();
  });
});

function preface(): Buffer {
  return Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.from('000000040000000000', 'hex')]);
}

describe('a faulty service', () => {
  it.each([
    ['bytes that are no message', framed(Buffer.from('ffffffffffff', 'hex')), status.INVALID_ARGUMENT],
    ['a message that ends too early', framed(Buffer.from('0aff', 'hex')), status.INVALID_ARGUMENT],
    ['a field of another type', framed(Buffer.from('0d0102', 'hex')), status.INVALID_ARGUMENT],
    ['a text that is no UTF-8', framed(Buffer.from('0a02ffff', 'hex')), status.OK],
    ['an empty message', framed(Buffer.alloc(0)), status.INVALID_ARGUMENT],
    ['a message past 16 MiB', framed(Buffer.alloc(10), { length: 17 * MIB }), status.RESOURCE_EXHAUSTED],
    ['a message without its end', framed(Buffer.alloc(10), { length: 20 }), status.UNIMPLEMENTED],
    ['no message', Buffer.alloc(0), status.UNIMPLEMENTED],
    ['two messages', Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]), status.UNIMPLEMENTED],
  ])('gets an error after sending %s', async (_, body, expected) => {
    expect(grpcStatus(await sendSigned(body))).toBe(expected);
  });

  it.each([
    ['gzip that is none', 'gzip', status.INTERNAL],
    ['an unknown encoding', 'klingon', status.UNIMPLEMENTED],
    ['a compressed message that says it is not', 'identity', status.OK],
  ])('gets an error after sending %s', async (_, encoding, expected) => {
    const body = framed(Buffer.from('0a0177', 'hex'), { compressed: 1 });
    expect(grpcStatus(await sendSigned(body, { 'grpc-encoding': encoding }))).toBe(expected);
  });

  it.each([
    ['a request id of 30 kB', { 'x-request-id': 'x'.repeat(30_000) }],
    ['a binary header that is none', { 'x-bin': '%%%' }],
    ['a trace that is none', { traceparent: '\u00ff' }],
  ])('sends %s and is answered', async (_, headers) => {
    const answer = await sendSigned(ASKS_W, headers);
    expect(grpcStatus(answer)).toBe(status.OK);
  });

  it.each([
    ['before its message', Buffer.alloc(0)],
    ['within its message', framed(Buffer.alloc(10), { length: 20 })],
    ['while it is served', HANGS],
  ])('may hang up %s', async (_, body) => {
    const session = openSession();
    const before = seen.length;
    const headers = { ':method': 'POST', ':path': GET_WORKSPACE, 'content-type': 'application/grpc' };
    const stream = session.request({ ...headers, 'x-drawbridge-caller': token }).on('error', () => undefined);
    await new Promise<void>((resolve) => stream.write(body, () => resolve()));
    if (body === HANGS) await new Promise<void>((resolve) => stream.end(resolve));
    while (body === HANGS && seen.length === before) await new Promise(setImmediate);
    stream.close(constants.NGHTTP2_CANCEL);
    session.destroy();
    while (seen.slice(before).some(({ signal }) => !signal.aborted)) await new Promise(setImmediate);
  });

  it('may ping as it likes', async () => {
    const session = openSession();
    await new Promise((resolve) => session.once('connect', resolve));
    for (let ping = 0; ping < 1_000 && !session.destroyed; ping++) session.ping(() => undefined);
    session.destroy();
  });

  it('gets TIMEOUT at its deadline, and the call stops', async () => {
    expect(grpcStatus(await sendSigned(HANGS, { 'grpc-timeout': '50m' }))).toBe(status.DEADLINE_EXCEEDED);
    while (!seen.at(-1)!.signal.aborted) await new Promise(setImmediate);
  });

  it('is not cut short without a deadline', async () => {
    await sendSigned(ASKS_W);
    expect(seen.at(-1)!.deadline - Date.now()).toBeGreaterThan(300_000);
    expect(seen.at(-1)!.signal.aborted).toBe(false);
  });
});
