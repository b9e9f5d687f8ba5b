// Shapes: local
import { connect } from 'node:net';
import { type Drawbridge, drawbridge } from './support/drawbridge.js';

/** What a server says to bytes that no HTTP client would send. */
function say(baseUrl: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let heard = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('close', () => resolve(heard));
    socket.on('error', reject);
  });
}

describe('bytes that are no request', () => {
  let product: Drawbridge;
  beforeAll(async () => {
    product = await drawbridge();
  });

  it.each([
    ['is not HTTP', 'hello\r\n\r\n', '400 Bad Request'],
    ['has headers past 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(20_000)}\r\n\r\n`, '431 Request Header'],
  ])('get the shape of every error: what %s', async (_what, bytes, status) => {
    const heard = await say(product.baseUrl, bytes);
    expect(heard).toMatch(`HTTP/1.1 ${status}`);
    expect(JSON.parse(heard.split('\r\n\r\n')[1]!)).toEqual({
      error: expect.any(String),
      code: 'VALIDATION_ERROR',
      details: {},
    });
  });
});
