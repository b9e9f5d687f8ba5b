// Shapes: local
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, UNKNOWN_ID } from './support/expect.js';
import { sendRaw, type WireAnswer } from './support/wire.js';

let product: Drawbridge;
beforeAll(async () => {
  product = await drawbridge();
});

describe('an idempotency key', () => {
  const call = { integrationName: 'hash-encode', actionName: 'hash', workspaceId: UNKNOWN_ID, input: {} };
  const lines = (...names: [string, string][]): string => names.map(([name, key]) => `${name}: ${key}\r\n`).join('');
  const ask = (headers: string, body: object = call): Promise<WireAnswer> => {
    const text = JSON.stringify(body);
    const head = `POST /api/v1/actions/execute HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\n`;
    const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    return sendRaw(product.baseUrl, `${head}${type}${headers}\r\n${text}`);
  };

  it.each<[string, string, object | undefined]>([
    ['two Idempotency-Key headers', lines(['Idempotency-Key', 'a'], ['Idempotency-Key', 'b']), undefined],
    ['two X-Idempotency-Key headers', lines(['X-Idempotency-Key', 'a'], ['X-Idempotency-Key', 'b']), undefined],
    ['both headers with different keys', lines(['Idempotency-Key', 'a'], ['X-Idempotency-Key', 'b']), undefined],
    ['a header and another key in the body', lines(['X-Idempotency-Key', 'a']), { ...call, idempotencyKey: 'b' }],
    ['an empty header', lines(['Idempotency-Key', '']), undefined],
    ['256 characters', lines(['Idempotency-Key', 'k'.repeat(256)]), undefined],
    ['a NUL character', '', { ...call, idempotencyKey: 'a\0b' }],
  ])('is refused when it is ambiguous or invalid: %s', async (_what, headers, body) => {
    expectInvalid(await ask(headers, body), 'idempotencyKey');
  });

  it.each<[string, string, object | undefined]>([
    ['two equal headers', lines(['Idempotency-Key', 'a'], ['Idempotency-Key', 'a']), undefined],
    [
      'equal keys in both headers and the body',
      lines(['Idempotency-Key', 'a'], ['X-Idempotency-Key', 'a']),
      { ...call, idempotencyKey: 'a' },
    ],
    ['255 characters outside of the basic plane', '', { ...call, idempotencyKey: '😀'.repeat(255) }],
  ])('is accepted: %s', async (_what, headers, body) => {
    expectError(await ask(headers, body), 404, 'NOT_FOUND');
  });
});
