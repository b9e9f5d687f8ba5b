import { createHash } from 'node:crypto';
import { type HandshakeReply, isSameText, trigger, type WebhookRequest } from '@drawbridge/piece-kit';
import { judge, keptHeaders } from './receive-webhook.js';

const named = (path: string, reply: HandshakeReply = { body: path }) =>
  trigger({
    kind: 'webhook',
    displayName: 'Called',
    description: 'Somebody calls.',
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
const proof = { secret: 'hush', now: 0 };

it('answers a handshake before it asks who sent it, whichever trigger knows it', () => {
  const triggers = [named('/one'), named('/other')];
  expect(judge(triggers, sent({ url: '/other', headers: {} }), proof)).toEqual({ reply: { body: '/other' } });
  expect(judge(triggers, sent({ url: '/one', method: 'GET' }), proof)).toEqual({ reply: { body: '/one' } });
});

it.each([
  ['what the third party sent', {}, true],
  ['what has another token', { headers: { token: 'other' } }, false],
  ['what has none', { headers: {} }, false],
  ['what is no POST', { method: 'GET' }, false],
])('judges %s', (_what, changes, isVerified) => {
  expect(judge([named('/one')], sent(changes), proof)).toEqual({ isVerified });
});

it('takes no secret from whoever sends one', () => {
  const bringing = named('/one', { secret: 'mine' });
  expect(judge([bringing], sent({ url: '/one', headers: {} }), proof)).toEqual({ isVerified: false });
});

const kept = { 'content-type': 'application/json', 'x-github-event': 'push', 'webhook-id': '7', 'x-empty': '' };

it('keeps what says what happened, and no secret', () => {
  const secret = { 'x-gitlab-token': 'hush 7', 'x-token': 'Token hush 7', authorization: 'Basic eA==', cookie: 'a=b' };
  expect(keptHeaders({ ...kept, ...secret }, 'hush 7')).toEqual(kept);
});

it('keeps nothing whose hash proves who sent it', () => {
  const proof = `x-key=${createHash('sha256').update('hush').digest('hex')} :address=00`;
  expect(keptHeaders({ ...kept, 'x-key': 'hush' }, proof)).toEqual(kept);
});
