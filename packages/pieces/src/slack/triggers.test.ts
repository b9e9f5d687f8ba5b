import { createHmac } from 'node:crypto';
import { createRequire } from 'node:module';
import type { AppWebhookTrigger, JsonObject } from '@drawbridge/piece-kit';
import { inbound, json, runTrigger, proofOf } from '../../testing/run-piece.js';
import { slack } from './index.js';
import { appMention } from './triggers/app-mention.js';
import { channelCreated } from './triggers/channel-created.js';
import { directMessage } from './triggers/direct-message.js';
import { memberJoined } from './triggers/member-joined.js';
import { newMessage } from './triggers/new-message.js';
import { reactionAdded } from './triggers/reaction-added.js';

/** Slack's own verification, without its server. */
const { isValidSlackRequest } = createRequire(import.meta.url)('@slack/bolt/dist/receivers/verify-request.js') as {
  isValidSlackRequest(request: object): boolean;
};

const secret = '8f742231b10e8888abcd99yyyzzz85a5';
const now = 1_531_420_618_000;
const seconds = now / 1000;
const triggers = Object.values(slack.triggers ?? {}) as AppWebhookTrigger[];

const sign = (body: string, time: number | string = seconds, by = secret): Record<string, string> => ({
  'x-slack-request-timestamp': String(time),
  'x-slack-signature': `v0=${createHmac('sha256', by).update(`v0:${time}:${body}`).digest('hex')}`,
});

it("accepts the example of Slack's documentation", () => {
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
    '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
    '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c';
  const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503';
  const headers = { 'x-slack-request-timestamp': '1531420618', 'x-slack-signature': signature };
  expect(newMessage.verify(inbound(body, headers), proofOf(secret, now))).toBe(true);
});

describe.each(triggers.map((trigger) => [trigger.displayName, trigger] as const))('%s', (_, trigger) => {
  const body = '{"type":"event_callback"}';

  it.each<[string, string, Record<string, string>, boolean]>([
    ['as Slack signs it', body, sign(body), true],
    ['five minutes old', body, sign(body, seconds - 300), true],
    ['older', body, sign(body, seconds - 301), false],
    ['of another secret', body, sign(body, seconds, 'other'), false],
    ['of another body', `${body} `, sign(body), false],
    ['of another version', body, { ...sign(body), 'x-slack-signature': 'v1=00' }, false],
  ])("verifies a request %s as Slack's library does", (_name, text, headers, expected) => {
    expect(trigger.verify(inbound(text, headers), proofOf(secret, now))).toBe(expected);
    expect(isValidSlackRequest({ signingSecret: secret, body: text, headers, nowMilliseconds: now })).toBe(expected);
  });

  it.each([{}, { 'x-slack-signature': 'v0=' }, sign(body, seconds + 301), sign(body, 'soon')])(
    'refuses a request with the headers %j',
    (headers) => expect(trigger.verify(inbound(body, headers), proofOf(secret, now))).toBe(false),
  );

  it('answers a URL verification if Slack signed it', () => {
    const trial = JSON.stringify({ type: 'url_verification', challenge: '3eZbrw1aB' });
    const answer = { headers: { 'content-type': 'text/plain' }, body: '3eZbrw1aB' };
    expect(trigger.handshake?.(inbound(trial, sign(trial)), proofOf(secret, now))).toEqual(answer);
    expect(trigger.handshake?.(inbound(trial), proofOf(secret, now))).toBeUndefined();
    expect(trigger.handshake?.(inbound(body, sign(body)), proofOf(secret, now))).toBeUndefined();
  });

  it('routes a request to its installation', () => {
    const installed = { team_id: 'T1', user_id: 'UBOT', is_bot: true };
    expect(trigger.route(inbound({ team_id: 'T9', authorizations: [installed] }))).toBe('T1 UBOT');
    for (const sent of [{ team_id: 'T1' }, { authorizations: [] }, { authorizations: [{ team_id: 'T1' }] }]) {
      expect(trigger.route(inbound(sent))).toBeUndefined();
    }
    expect(trigger.route(inbound('not JSON'))).toBeUndefined();
  });

  it.each([
    { type: 'OAUTH2', accessToken: 'xoxb', tokenType: 'bot', data: { teamId: 'T1', botUserId: 'UBOT' } } as const,
    { type: 'SECRET_TEXT', secretText: 'xoxb' } as const,
  ])('asks Slack for the owner of the token of a connection of type $type', async (credential) => {
    const reply = () => json({ ok: true, team_id: 'T2', user_id: 'UOTHER' });
    const subscribed = runTrigger({ piece: slack, credential, reply }, {}, (context) => trigger.subscribe(context));
    expect(await subscribed).toMatchObject({ output: 'T2 UOTHER', asked: ['GET /api/auth.test'] });
  });
});

describe('events', () => {
  const told = (event: JsonObject) =>
    inbound({ type: 'event_callback', team_id: 'T1', event_id: 'Ev1', event_time: 7, event });
  const message = { type: 'message', channel: 'C1', user: 'U1', text: 'Hi', ts: '1.2' };
  const reaction = { type: 'reaction_added', reaction: 'eyes', item: { type: 'message', channel: 'C1', ts: '1.2' } };
  const direct = { ...message, channel: 'D1', channel_type: 'im' };
  const mention = { ...message, type: 'app_mention' };
  const joined = { type: 'member_joined_channel', user: 'U1', channel: 'C1', channel_type: 'C', team: 'T1' };
  const created = { type: 'channel_created', channel: { id: 'C1', name: 'news', created: 7, creator: 'U1' } };
  const hasEvent = (trigger: AppWebhookTrigger, event: JsonObject, input: JsonObject = {}): boolean =>
    trigger.events(told(event), input).length === 1;

  it('have the id that Slack gives them', () => {
    expect(newMessage.events(told(message), {})).toEqual([
      { id: 'Ev1', data: { ...message, team_id: 'T1', event_time: 7 } },
    ]);
    expect(reactionAdded.events(told(reaction), {})).toMatchObject([{ id: 'Ev1', data: { reaction: 'eyes' } }]);
    expect(newMessage.events(inbound('not JSON'), {})).toEqual([]);
  });

  it.each<[string, boolean, boolean]>([
    ['of the chosen channel', hasEvent(newMessage, message, { channel: 'C1' }), true],
    ['of another channel', hasEvent(newMessage, message, { channel: 'C2' }), false],
    ['with a file', hasEvent(newMessage, { ...message, subtype: 'file_share' }), true],
    ['that was changed', hasEvent(newMessage, { ...message, subtype: 'message_changed' }), false],
    ['from a bot', hasEvent(newMessage, { ...message, bot_id: 'B1' }), false],
    ['from a bot if bots are included', hasEvent(newMessage, { ...message, bot_id: 'B1' }, { bots: true }), true],
    ['that is a reaction', hasEvent(newMessage, reaction), false],
    ['of a private channel', hasEvent(newMessage, { ...message, channel_type: 'group' }), true],
    ['of a direct message', hasEvent(newMessage, direct), false],
    ['of the chosen direct message', hasEvent(newMessage, direct, { channel: 'D1' }), true],
  ])('includes or skips a message %s', (_, isOne, expected) => expect(isOne).toBe(expected));

  it.each<[string, boolean, boolean]>([
    ['of the chosen channel and emoji', hasEvent(reactionAdded, reaction, { channel: 'C1', reaction: 'eyes' }), true],
    ['of another channel', hasEvent(reactionAdded, reaction, { channel: 'C2' }), false],
    ['of another emoji', hasEvent(reactionAdded, reaction, { reaction: 'tada' }), false],
    ['that is a message', hasEvent(reactionAdded, message), false],
  ])('includes or skips a reaction %s', (_, isOne, expected) => expect(isOne).toBe(expected));

  it.each<[string, boolean, boolean]>([
    ['a direct message', hasEvent(directMessage, direct), true],
    ['a direct message with a file', hasEvent(directMessage, { ...direct, subtype: 'file_share' }), true],
    ["a bot's direct message", hasEvent(directMessage, { ...direct, bot_id: 'B1' }), false],
    ['a changed direct message', hasEvent(directMessage, { ...direct, subtype: 'message_changed' }), false],
    ['a message of a channel as a direct one', hasEvent(directMessage, { ...message, channel_type: 'channel' }), false],
    ['a mention', hasEvent(appMention, mention), true],
    ['a mention in the chosen channel', hasEvent(appMention, mention, { channel: 'C1' }), true],
    ['a mention in another channel', hasEvent(appMention, mention, { channel: 'C2' }), false],
    ["a bot's mention", hasEvent(appMention, { ...mention, bot_id: 'B1' }), false],
    ["a bot's mention if bots are included", hasEvent(appMention, { ...mention, bot_id: 'B1' }, { bots: true }), true],
    ['a message as a mention', hasEvent(appMention, message), false],
    ['a channel', hasEvent(channelCreated, created), true],
    ['a message as a channel', hasEvent(channelCreated, message), false],
    ['a member', hasEvent(memberJoined, joined), true],
    ['a member of the chosen channel', hasEvent(memberJoined, joined, { channel: 'C1' }), true],
    ['a member of another channel', hasEvent(memberJoined, joined, { channel: 'C2' }), false],
    ['a message as a member', hasEvent(memberJoined, message), false],
  ])('includes or skips %s', (_, isOne, expected) => expect(isOne).toBe(expected));

  it('have the fields of the samples', () => {
    for (const trigger of triggers) expect(hasEvent(trigger, trigger.sample)).toBe(true);
  });
});
