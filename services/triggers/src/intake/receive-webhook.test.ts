import { createHash } from 'node:crypto';
import { type HandshakeReply, isSameText, trigger, type WebhookRequest } from '@drawbridge/piece-kit';
import { hooks, judge, storedHeaders, storedUrl } from './receive-webhook.js';

const named = (path: string, reply: HandshakeReply = { body: path }) =>
  trigger({
    kind: 'webhook',
    displayName: 'Called',
    description: 'A call came in.',
    props: {},
    sample: { a: 1 },
    enable: async () => ({ state: {} }),
    disable: async () => undefined,
    handshake: ({ url }) => (url === path ? reply : undefined),
    verify: ({ headers }, { secret }) => isSameText(headers['token'] ?? '', secret),
    events: () => [],
  });

const sent = (changes: Partial<WebhookRequest> = {}): WebhookRequest => ({
  method: 'POST',
  url: '/',
  headers: { token: 'hush' },
  body: new Uint8Array(),
  ...changes,
});
const proof = { secret: 'hush', now: 0, webhookUrl: 'https://drawbridge.example/hook' };

it('answers a handshake before it asks who sent it, whichever trigger knows it', () => {
  const triggers = [named('/one'), named('/other')];
  expect(judge(triggers, sent({ url: '/other', headers: {} }), proof)).toEqual({ reply: { body: '/other' } });
  expect(judge(triggers, sent({ url: '/one', method: 'GET' }), proof)).toEqual({ reply: { body: '/one' } });
});

it('reads no handshake in a large body, because nothing has verified it', () => {
  const large = (bytes: number) => sent({ url: '/one', headers: {}, body: new Uint8Array(bytes) });
  expect(judge([named('/one')], large(65_536), proof)).toEqual({ reply: { body: '/one' } });
  expect(judge([named('/one')], large(65_537), proof)).toEqual({ isVerified: false });
});

it.each([
  ['what the third party sent', {}, true],
  ['what has another token', { headers: { token: 'other' } }, false],
  ['what has none', { headers: {} }, false],
  ['what is no POST', { method: 'GET' }, false],
])('judges %s', (_what, changes, isVerified) => {
  expect(judge([named('/one')], sent(changes), proof)).toEqual({ isVerified });
});

describe('a handshake that brings a secret', () => {
  const receive = (secret: string, isChosen: boolean) => {
    const chosen: string[] = [];
    const address = {
      triggers: [named('/one', { secret, body: 'ok' })],
      ...{ webhookUrl: proof.webhookUrl, secret: async () => 'hush', store: async () => true },
      choose: async (one: string) => (chosen.push(one), isChosen),
    };
    const parts = { find: async () => address, states: {}, backlog: {}, wake() {} } as never;
    const asked = { integrationName: 'x', hookId: 'h', ...sent({ url: '/one', headers: {} }), body: Buffer.alloc(0) };
    return { chosen, reply: Promise.resolve(hooks(parts).receiveHook(asked)) };
  };

  it('is answered once its secret is stored', async () => {
    const { chosen, reply } = receive('mine', true);
    expect(await reply).toMatchObject({ status: 200, body: 'ok', isStored: false });
    expect(chosen).toEqual(['mine']);
  });

  it.each([
    ['late', 'mine', ['mine']],
    ['without a text', '', []],
    ['too long', 'x'.repeat(1_001), []],
  ])('is refused if it is %s', async (_, secret, asked) => {
    const { chosen, reply } = receive(secret, false);
    await expect(reply).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(chosen).toEqual(asked);
  });
});

const kept = { 'content-type': 'application/json', 'x-github-event': 'push', 'webhook-id': '7', 'x-empty': '' };

it('keeps what says what happened, and no secret', () => {
  const secret = { 'x-gitlab-token': 'hush 7', 'x-token': 'Token hush 7', authorization: 'Basic eA==', cookie: 'a=b' };
  expect(storedHeaders({ ...kept, ...secret }, 'hush 7')).toEqual(kept);
});

it('stores nothing with a hash that proves the sender', () => {
  const proof = `x-key=${createHash('sha256').update('hush').digest('hex')} :address=00`;
  expect(storedHeaders({ ...kept, 'x-key': 'hush' }, proof)).toEqual(kept);
});

it('stores the headers that describe the event if the secret is empty', () => {
  expect(storedHeaders(kept, '')).toEqual(kept);
});

it('keeps the URL without the secret', () => {
  expect(storedUrl('/x?key=hush&a=1', 'hush')).toBe('/x?key=&a=1');
  expect(storedUrl('/x?a=1', '')).toBe('/x?a=1');
});
