import { createHmac } from 'node:crypto';
import { type Send } from './answer.js';
import { openHttp } from './http.js';
import { type JsonObject, type JsonValue } from './json.js';
import { deleteIfThere, isRecent, isSameText, isSigned, oneSubscription } from './webhooks.js';

const hex = createHmac('sha256', 'secret')
  .update('v0:1:')
  .update(Buffer.from([0xff, 0]))
  .digest('hex');
const signed = {
  algorithm: 'sha256',
  secret: 'secret',
  content: ['v0:1:', Uint8Array.of(0xff, 0)],
  encoding: 'hex',
  prefix: 'v0=',
} as const;

it('accepts bodies signed with the secret', () => {
  expect(isSigned({ ...signed, signature: `v0=${hex}` })).toBe(true);
  const base64 = createHmac('sha1', 'secret').update('a').digest('base64');
  const other = { algorithm: 'sha1', secret: 'secret', content: ['a'], encoding: 'base64', signature: base64 } as const;
  expect(isSigned(other)).toBe(true);
});

it.each([
  ['no signature', { signature: undefined }],
  ['an empty one', { signature: '' }],
  ['the prefix alone', { signature: 'v0=' }],
  ['one without its prefix', { signature: hex }],
  ['one in capitals', { signature: `v0=${hex.toUpperCase()}` }],
  ['a part of one', { signature: `v0=${hex.slice(0, -1)}` }],
  ['more than one', { signature: `v0=${hex},v0=${hex}` }],
  ['another secret', { secret: 'Secret' }],
  ['no secret', { secret: '', signature: `v0=${createHmac('sha256', '').update('a').digest('hex')}`, content: ['a'] }],
  ['another content', { content: ['v0:2:', Uint8Array.of(0xff, 0)] }],
])('refuses %s', (_, changes) => {
  expect(isSigned({ ...signed, signature: `v0=${hex}`, ...changes })).toBe(false);
});

it('compares texts of any length', () => {
  expect([isSameText('', ''), isSameText('ä', 'ä'), isSameText('a', 'b'), isSameText('a', 'aa')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it.each([
  ['1000', true],
  [1000, true],
  ['1300', true],
  ['700', true],
  ['1301', false],
  ['699', false],
  [undefined, false],
  ['', false],
  ['now', false],
  ['1e3', false],
  ['-1000', false],
  ['9'.repeat(400), false],
])('takes %s for recent: %s', (seconds, expected) => {
  expect(isRecent(seconds, 1_000_000, 300)).toBe(expected);
});

describe('a webhook with one subscription', () => {
  const webhookUrl = 'https://drawbridge.example/hooks/1';
  /** Returns a provider with these webhooks. `log` contains the created and removed webhooks. */
  function provider(webhooks: JsonObject[]) {
    const log: string[] = [];
    const { enable, disable } = oneSubscription<JsonObject>({
      async *list() {
        for (const webhook of webhooks) yield webhook as JsonValue;
      },
      urlAt: ['config', 'url'],
      create: async () => (log.push('create'), { state: { id: 'new' } }),
      remove: async (_context, id) => {
        log.push(`remove ${id}`);
        await Promise.resolve();
        log.push(`removed ${id}`);
      },
    });
    const context = { http: {} as never, input: {}, auth: undefined, signal: undefined, webhookUrl, secret: 's' };
    return { log, enable: () => enable(context), disable: (state: JsonObject) => disable({ ...context, state }) };
  }
  const at = (id: JsonValue, url = webhookUrl): JsonObject => ({ id, config: { url } });

  it('replaces those that earlier attempts left at its address', async () => {
    const { log, enable } = provider([at(1), at('b'), at(2, 'https://other.example'), at({ toString: 1 }), { id: 3 }]);
    expect(await enable()).toEqual({ state: { id: 'new' } });
    expect(log).toEqual(['remove 1', 'removed 1', 'remove b', 'removed b', 'create']);
  });

  it('removes the one of its state, without a request for the list', async () => {
    const { log, disable } = provider([at(1)]);
    await disable({ id: 9 });
    expect(log).toEqual(['remove 9', 'removed 9']);
  });

  it.each([[{}], [{ id: null }], [{ hookId: 9 }]])('finds the one of the state %j by its address', async (state) => {
    const { log, disable } = provider([at(9), at(8, 'https://other.example')]);
    await disable(state);
    expect(log).toEqual(['remove 9', 'removed 9']);
  });
});

it.each([
  [204, undefined],
  [404, undefined],
  [410, undefined],
  [403, 'ProviderError'],
])('removes a resource, or fails, if the provider responds with %i', async (status, name) => {
  const send: Send = async ({ url }) => ({ status, headers: {}, body: Buffer.alloc(0), url });
  const removed = deleteIfThere(openHttp({ origin: 'https://api.example.com', send }), '/x');
  expect(await removed.catch((error: Error) => error.name)).toBe(name);
});
