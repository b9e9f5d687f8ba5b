import { type JsonObject } from '@drawbridge/piece-kit';
import type {
  AadUserConversationMember,
  Channel,
  Chat,
  ChatMessage,
  OnlineMeeting,
  Team,
} from '@microsoft/microsoft-graph-types';
import { json, runPiece } from '../../testing/run-piece.js';
import { microsoftTeams } from './index.js';

/** Graph's description contains no responses by status, so Microsoft's types check the fields that the piece reads. */
const message = {
  ...{ id: '1616990032035', subject: 'Tea', importance: 'high', webUrl: 'https://teams.example/1', replyToId: '16' },
  ...{ createdDateTime: '2026-01-31T09:00:00Z', lastModifiedDateTime: '2026-01-31T09:00:01Z', chatId: '19:x' },
  body: { contentType: 'html', content: '<p>Hi</p>' },
  from: { user: { id: 'u1', displayName: 'Ada' } },
  attachments: [{ name: 'a.pdf' }],
} as const satisfies ChatMessage;
const { body, from, attachments: _files, ...plain } = message;
const shortMessage = {
  ...{ ...plain, ...body, from: from.user.displayName, fromId: from.user.id, attachments: ['a.pdf'] },
};

const team = { id: 't1', displayName: 'Tea', description: 'About tea', isArchived: false } satisfies Team;
const channel = {
  ...{ id: '19:4b63@thread.tacv2', displayName: 'Tea', description: 'About tea', membershipType: 'standard' },
  ...{ webUrl: 'https://teams.example/2', createdDateTime: '2026-01-31T09:00:00Z' },
} as const satisfies Channel;
const { createdDateTime: _time, ...createdChannel } = channel;
const chat = {
  ...{ id: '19:x', topic: 'Tea', chatType: 'group', createdDateTime: '2026-01-31T09:00:00Z' },
  ...{ lastUpdatedDateTime: '2026-01-31T09:00:01Z', webUrl: 'https://teams.example/3' },
} as const satisfies Chat;
const { lastUpdatedDateTime: _updated, ...createdChat } = chat;
const member = {
  ...{ id: 'm1', displayName: 'Ada', email: 'ada@x.example', userId: 'u1', roles: ['owner'] },
} satisfies AadUserConversationMember;
const meeting = {
  ...{ id: 'o1', subject: 'Tea', joinWebUrl: 'https://teams.example/4' },
  ...{ startDateTime: '2026-01-31T09:00:00Z', endDateTime: '2026-01-31T10:00:00Z' },
} satisfies OnlineMeeting;

const TEAM = { team_id: '57fb72d0-d811-46f4-8947-305e6072eaa5' };
const CHANNEL = { ...TEAM, channel_id: '19:4b63@thread.tacv2' };

it.each<[string, JsonObject, object, object]>([
  ['send_channel_message', { ...CHANNEL, text: 'Hi' }, message, shortMessage],
  ['reply_to_message', { ...CHANNEL, message_id: '1616990032035', text: 'Hi' }, message, shortMessage],
  ['send_chat_message', { chat_id: '19:x', text: 'Hi' }, message, shortMessage],
  ['create_chat', { people: ['u2'] }, chat, createdChat],
  ['create_channel', { ...TEAM, name: 'Tea' }, channel, createdChannel],
  ['create_meeting', { subject: 'Tea', start: '2026-01-31T09:00:00Z' }, meeting, meeting],
  ['list_teams', {}, { value: [team] }, { items: [team] }],
  ['list_channels', TEAM, { value: [channel] }, { items: [channel] }],
  ['list_messages', CHANNEL, { value: [message] }, { items: [shortMessage] }],
  ['list_members', TEAM, { value: [member] }, { items: [member] }],
  ['list_chats', {}, { value: [chat] }, { items: [chat] }],
])('returns the fields of %s that people need', async (action, input, answer, output) => {
  const reply = () => json({ ...answer, '@odata.etag': '1', unknown: true });
  const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;
  expect((await runPiece({ piece: microsoftTeams, credential, reply }, action, input)).output).toEqual(output);
});
