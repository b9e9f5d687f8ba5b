import { createHash } from 'node:crypto';
import type { Credential, JsonObject, JsonValue, WebhookRequest } from '@drawbridge/piece-kit';
import { inbound, runTrigger, proofOf } from '../../testing/run-piece.js';
import { http } from './index.js';
import { catchHook } from './triggers/catch-hook.js';

/** Without a declaration, props of 8 or more characters are secret. */
const CANARY = 'canary-5d41402a';
const HOOK = '0123456789abcdefghijklmnopqrstuv';
const webhookUrl = `https://gateway.example/in/a/folder/api/v1/webhooks/http/${HOOK}`;
const now = Date.UTC(2026, 0, 1);

/** Enables a hook. Returns its secret and all requests to the provider. */
async function enable(credential?: Credential, input: { headers?: string[] } = {}) {
  const { output, received } = await runTrigger({ piece: http, credential }, input, (context) =>
    catchHook.enable({ ...context, webhookUrl, secret: 'unused' }),
  );
  return { secret: output.secret ?? '', received };
}

const sent = (headers: Record<string, string> = {}, body: unknown = { a: 1 }, url = `/webhooks/http/${HOOK}?b=2`) =>
  ({ ...inbound(body, headers), url }) satisfies WebhookRequest;

describe('without a connection', () => {
  it('accepts requests to its URL without registering it at a provider', async () => {
    const { secret, received } = await enable();
    expect(received).toEqual([]);
    expect(catchHook.verify(sent(), proofOf(secret, now))).toBe(true);
  });

  it.each([['/webhooks/http/another'], [`/webhooks/http/${HOOK}/x`], [''], ['/'], [`/webhooks?${HOOK}`]])(
    'refuses a request to "%s"',
    async (url) => {
      const { secret } = await enable();
      expect(catchHook.verify(sent({}, {}, url), proofOf(secret, now))).toBe(false);
    },
  );
});

describe.each<[string, Credential, Record<string, string>]>([
  ['a key', { type: 'SECRET_TEXT', secretText: CANARY }, { authorization: `Bearer ${CANARY}` }],
  [
    'a user',
    { type: 'BASIC_AUTH', username: 'u', password: CANARY },
    { authorization: `Basic ${btoa(`u:${CANARY}`)}` },
  ],
  ['headers', { type: 'CUSTOM_AUTH', props: { 'X-Key': CANARY, 'X-Two': 'b' } }, { 'x-key': CANARY, 'x-two': 'b' }],
])('with %s', (_, credential, headers) => {
  it('accepts a request with the headers of the connection', async () => {
    const { secret } = await enable(credential);
    // Proofs are stored, so the hash must not change.
    const pairs = Object.entries(headers).map(
      ([name, value]) => `${name}=${createHash('sha256').update(value).digest('hex')}`,
    );
    expect(secret).toBe(pairs.join(' '));
    expect(catchHook.verify(sent(headers), proofOf(secret, now))).toBe(true);
    expect(catchHook.verify(sent({ ...headers, more: 'x' }), proofOf(secret, now))).toBe(true);
  });

  it('refuses a request with a missing or different header', async () => {
    const { secret } = await enable(credential);
    for (const name of Object.keys(headers)) {
      const { [name]: _left, ...others } = headers;
      for (const wrong of [others, { ...others, [name]: '' }, { ...headers, [name]: `${headers[name]} ` }]) {
        expect(catchHook.verify(sent(wrong), proofOf(secret, now))).toBe(false);
      }
    }
  });

  it('stores no credential and shows none in an event', async () => {
    const { secret } = await enable(credential);
    expect(secret).not.toContain(CANARY);
    expect(JSON.stringify(catchHook.events(sent(headers), {}))).not.toContain(CANARY);
    await expect(enable(credential, { headers: Object.keys(headers) })).rejects.toThrow(
      'because it authenticates the sender',
    );
  });
});

it.each<[string, Credential, string]>([
  ['OAuth', { type: 'OAUTH2', accessToken: CANARY, tokenType: 'bearer' }, 'because OAuth tokens change'],
  ['no headers', { type: 'CUSTOM_AUTH', props: {} }, 'The connection has no headers'],
  ['an empty header', { type: 'CUSTOM_AUTH', props: { 'X-Key': '' } }, 'or an empty header'],
])('refuses a connection with %s', async (_, credential, message) => {
  await expect(enable(credential)).rejects.toThrow(message);
});

it('does not mistake inherited object properties for headers', async () => {
  const { secret } = await enable({ type: 'CUSTOM_AUTH', props: { constructor: 'x' } });
  expect(catchHook.verify(sent(), proofOf(secret, now))).toBe(false);
  for (const idHeader of ['constructor', '__proto__']) {
    expect(typeof catchHook.events(sent(), { idHeader })[0]?.id).toBe('string');
  }
});

describe('an event', () => {
  const dataOf = (request: WebhookRequest, input: JsonObject = {}) => catchHook.events(request, input)[0]?.data;

  it.each<[string, string, string, JsonValue]>([
    ['JSON', 'application/json', '{"a":[1]}', { a: [1] }],
    ['text', 'text/plain; charset=utf-8', 'ä', 'ä'],
    [
      'a form',
      'application/x-www-form-urlencoded; charset=utf-8',
      'a=b+c&d=1&d=2&e=',
      { a: 'b c', d: ['1', '2'], e: '' },
    ],
    ['bytes', 'application/zip', 'hi', { filename: 'body', mimeType: 'application/zip', base64: 'aGk=' }],
    ['nothing', 'application/json', '', null],
    ['broken JSON', 'application/json', '{"', '{"'],
  ])('has a body of %s', (_, type, body, expected) => {
    expect(dataOf(sent({ 'content-type': type }, body))).toMatchObject({ body: expected });
  });

  it('has the query and the configured headers', () => {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'x',
      'x-shop': 's',
      cookie: 'c',
      authorization: 'a',
    };
    expect(dataOf(sent(headers, 'null', '/x?a=1&a=2&b=c+d'), { headers: ['X-Shop', 'X-Absent'] })).toEqual({
      headers: { 'content-type': 'application/json', 'user-agent': 'x', 'x-shop': 's' },
      query: { a: ['1', '2'], b: 'c d' },
      body: null,
    });
  });

  it('has the id of its delivery, or a generated id', () => {
    const idOf = (headers: Record<string, string>, input: JsonObject = {}) =>
      catchHook.events(sent(headers), input)[0]?.id;
    expect(idOf({ 'webhook-id': 'msg_1' })).toBe('msg_1');
    expect(idOf({ 'webhook-id': 'msg_1', 'x-id': '7' }, { idHeader: 'X-Id' })).toBe('7');
    expect(idOf({})).not.toBe(idOf({}));
  });
});
