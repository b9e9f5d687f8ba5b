import type { ConversationsListResponse, ConversationsRepliesResponse, UsersInfoResponse } from '@slack/web-api';
import type { JsonObject } from '@drawbridge/piece-kit';
import { json, runPiece } from '../../testing/run-piece.js';
import { asSlack } from '../../testing/vendors/slack.js';
import { pickFields } from '../pick-fields.js';
import { CHANNEL, MESSAGE, USER } from './fields.js';
import { slack } from './index.js';

/** An item with each field that an output contains, typed by Slack's client, so that an unknown field does not compile. */
const channel: NonNullable<ConversationsListResponse['channels']>[number] = {
  ...{ id: 'C1', name: 'news', user: 'U1', is_private: false, is_im: false, is_mpim: false, is_archived: false },
  ...{ is_member: true, num_members: 3, topic: { value: 'Tea' }, purpose: { value: 'News' } },
};
const user: NonNullable<UsersInfoResponse['user']> = {
  ...{ id: 'U1', name: 'ann', real_name: 'Ann', team_id: 'T1', tz: 'Europe/Berlin', deleted: false, is_bot: false },
  ...{ is_admin: true, is_restricted: false },
  profile: { display_name: 'annie', email: 'ann@acme.example', title: 'Head', phone: '1', status_text: 'Away' },
};
const message: NonNullable<ConversationsRepliesResponse['messages']>[number] = {
  ...{ ts: '1.2', user: 'U1', bot_id: 'B1', text: 'Hi', thread_ts: '1.1', reply_count: 1 },
  ...{ reactions: [{ name: 'eyes', count: 1, users: ['U2'] }], files: [{ id: 'F1', name: 'a.txt' }] },
};
const { profile, ...person } = user;
const { status_text: status, ...shownProfile } = profile ?? {};
const short = {
  channel: { ...channel, topic: 'Tea', purpose: 'News' },
  user: { ...person, ...shownProfile, status },
  message: { ...message, files: ['a.txt'] },
};

it.each([
  ['a channel', channel, CHANNEL, short.channel],
  ['a user', user, USER, short.user],
  ['a message', message, MESSAGE, short.message],
])('%s is short, with fields that exist', (_, whole, fields, expected) => {
  expect(pickFields(whole as JsonObject, fields)).toEqual(expected);
});

const run = async (name: string, input: JsonObject, reply: Parameters<typeof runPiece>[0]['reply']) =>
  (await runPiece({ piece: slack, reply }, name, input)).output;
const bot = { id: 'U2', is_bot: true };
const gone = { id: 'U3', deleted: true };
const lists = asSlack({
  'conversations.replies': ['messages', [message as JsonObject]],
  'conversations.list': ['channels', [channel as JsonObject]],
  'users.list': ['members', [{ id: 'USLACKBOT' }, bot, gone, user as JsonObject, { id: 'U4' }]],
});

it.each<[string, JsonObject, unknown[], unknown[]]>([
  ['get_thread', { channel: 'C1', ts: '1.1' }, [short.message], [message]],
  ['list_channels', {}, [short.channel], [channel]],
  ['list_users', { limit: 1 }, [short.user], [user]],
])('%s returns short items, or on request whole ones', async (name, input, items, whole) => {
  expect(await run(name, input, lists)).toEqual({ items });
  expect(await run(name, { ...input, raw: true }, lists)).toEqual({ items: whole });
});

it('get_user returns a short user, or on request a whole one', async () => {
  const reply = () => json({ ok: true, user });
  expect(await run('get_user', { user: 'U1' }, reply)).toEqual(short.user);
  expect(await run('get_user', { user: 'U1', raw: true }, reply)).toEqual(user);
});

it('list_users has bots and deactivated users only on request', async () => {
  const ids = async (input: JsonObject) =>
    ((await run('list_users', input, lists)).items as { id: string }[]).map(({ id }) => id);
  expect(await ids({})).toEqual(['U1', 'U4']);
  expect(await ids({ bots: true })).toEqual(['USLACKBOT', 'U2', 'U1', 'U4']);
  expect(await ids({ deactivated: true })).toEqual(['U3', 'U1', 'U4']);
});

it('send_direct_message fails if Slack returns no conversation', async () => {
  const input = { users: ['U1'], text: 'Hi' };
  await expect(run('send_direct_message', input, () => json({ ok: true }))).rejects.toThrow('did not return the');
});

it('asks for the scopes of private channels, direct messages and mentions', () => {
  const { scopes = [] } = slack.auth?.oauth2 ?? {};
  const kinds = ['groups', 'im', 'mpim'].flatMap((kind) =>
    ['read', 'history', 'write'].map((what) => `${kind}:${what}`),
  );
  expect(scopes).toEqual(expect.arrayContaining(['channels:manage', 'app_mentions:read', ...kinds]));
  expect(new Set(scopes).size).toBe(scopes.length);
});
