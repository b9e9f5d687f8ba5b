// Shapes: local
import { drawbridge, type Drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid, NOBODY } from './support/expect.js';
import { sendRaw, type WireAnswer } from './support/wire.js';

let product: Drawbridge;
beforeAll(async () => {
  product = await drawbridge();
});

describe('an idempotency key', () => {
  const call = { integrationName: 'hash-encode', actionName: 'hash', workspaceId: NOBODY, input: {} };
  const lines = (...names: [string, string][]): string => names.map(([name, key]) => `${name}: ${key}\r\n`).join('');
  const ask = (headers: string, body: object = call): Promise<WireAnswer> => {
    const text = JSON.stringify(body);
    const head = `POST /api/v1/actions/execute HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${product.key}\r\n`;
    const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    return sendRaw(product.baseUrl, `${head}${type}${headers}\r\n${text}`);
  };

  it.each<[string, string, object | undefined]>([
    ['two lines of one name', lines(['Idempotency-Key', 'a'], ['Idempotency-Key', 'b']), undefined],
    ['two lines of the other name', lines(['X-Idempotency-Key', 'a'], ['X-Idempotency-Key', 'b']), undefined],
    ['both names', lines(['Idempotency-Key', 'a'], ['X-Idempotency-Key', 'b']), undefined],
    ['a header and the body', lines(['X-Idempotency-Key', 'a']), { ...call, idempotencyKey: 'b' }],
    ['an empty line', lines(['Idempotency-Key', '']), undefined],
    ['256 characters', lines(['Idempotency-Key', 'k'.repeat(256)]), undefined],
  ])('is refused when it is wrong: %s', async (_what, headers, body) => {
    expectInvalid(await ask(headers, body), 'idempotencyKey');
  });

  it.each<[string, string, object | undefined]>([
    ['two lines alike', lines(['Idempotency-Key', 'a'], ['Idempotency-Key', 'a']), undefined],
    [
      'both names and the body alike',
      lines(['Idempotency-Key', 'a'], ['X-Idempotency-Key', 'a']),
      { ...call, idempotencyKey: 'a' },
    ],
    ['255 characters beyond the 16 bits', '', { ...call, idempotencyKey: '😀'.repeat(255) }],
  ])('is taken: %s', async (_what, headers, body) => {
    expectError(await ask(headers, body), 404, 'NOT_FOUND');
  });
});
