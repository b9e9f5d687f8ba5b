// Shapes: none; in full: local
import { connect, type Socket } from 'node:net';
import { type Product } from '@drawbridge/testkit';
import { expectError } from './support/expect.js';
import { ownProduct } from './support/own-product.js';
import { sendRaw, toWireAnswer, type WireAnswer } from './support/wire.js';

const MOST = 20;
const REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

let product: Product;
const held: Socket[] = [];

beforeAll(async () => {
  product = await ownProduct({ env: { CONNECTIONS_PER_ADDRESS: String(MOST) } });
});
afterEach(() => held.splice(0).forEach((socket) => socket.destroy()));
afterAll(() => product?.stop());

/** Opens a connection without sending anything. Each test uses a separate address, because closed connections may still count for a moment. */
async function holdSilently(from: string): Promise<Socket> {
  const { hostname, port } = new URL(product.baseUrl);
  const socket = connect({ port: Number(port), host: hostname, localAddress: from });
  held.push(socket);
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

function answerOn(socket: Socket): Promise<WireAnswer> {
  let received = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => (received += chunk.toString())).on('close', () => resolve(toWireAnswer(received)));
  });
}

it('an address may open connections up to the limit, and the next one is refused with 429', async () => {
  const silent = await Promise.all(Array.from({ length: MOST }, () => holdSilently('127.0.0.1')));
  expect(silent.some(({ destroyed }) => destroyed)).toBe(false);
  const refused = await answerOn(await holdSilently('127.0.0.1'));
  expectError(refused, 429, 'RATE_LIMITED');
  expect(refused.headers.get('x-ratelimit-limit')).toMatch(/^\d+$/);
  // The request comes from another address of this machine.
  expect((await sendRaw(product.baseUrl, { from: '127.0.0.2' }, REQUEST)).status).toBe(200);
});

it('a closed connection frees its slot', async () => {
  const from = '127.0.0.3';
  const [first] = await Promise.all(Array.from({ length: MOST }, () => holdSilently(from)));
  const gone = new Promise((resolve) => first!.once('close', resolve));
  first!.end();
  await gone;
  expect((await sendRaw(product.baseUrl, { from }, REQUEST)).status).toBe(200);
});

it('a silent connection is answered with 408 in the error format', async () => {
  expectError(await answerOn(await holdSilently('127.0.0.4')), 408, 'TIMEOUT');
});
