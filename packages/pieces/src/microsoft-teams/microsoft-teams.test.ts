import { type JsonObject, testCredential } from '@drawbridge/piece-kit';
import { toGraphNotation } from '../../testing/graph-notation.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { microsoftTeams } from './index.js';

const described = by(readDescription('microsoft-teams'));
const check = (request: Recorded): string[] => described(toGraphNotation(request));
const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;
const setting: Setting = { piece: microsoftTeams, credential, reply: () => json({ id: 'me1', value: [] }) };
const TEAM = '57fb72d0-d811-46f4-8947-305e6072eaa5';
const team = { team_id: TEAM };
const channel = { ...team, channel_id: '19:4b63@thread.tacv2' };
const IN = `/v1.0/teams/${TEAM}/channels/19%3A4b63%40thread.tacv2/messages`;
const CHAT = '/v1.0/chats/19%3A2da4%40thread.v2/messages';
const text = '"body":{"contentType":"text","content":"Hi"}';
const html = '"body":{"contentType":"html","content":"<b>Hi</b>"}';
const member = (user: string): string =>
  '{"@odata.type":"#microsoft.graph.aadUserConversationMember","roles":["owner"],' +
  `"user@odata.bind":"https://graph.microsoft.com/v1.0/users('${user}')"}`;
const SELECT = '%24select=id%2CdisplayName%2Cdescription%2CmembershipType%2CwebUrl%2CcreatedDateTime';

describe('requests', () => {
  itIsAccepted(setting, check, {
    send_channel_message: [
      [{ ...channel, text: 'Hi' }, `POST ${IN} {${text}}`],
      [
        { ...channel, text: '<b>Hi</b>', format: 'html', subject: 'Tea', importance: 'high' },
        `POST ${IN} {${html},"subject":"Tea","importance":"high"}`,
      ],
    ],
    reply_to_message: [
      [{ ...channel, message_id: '1616990032035', text: 'Hi' }, `POST ${IN}/1616990032035/replies {${text}}`],
      [
        { ...channel, message_id: '1616990032035', text: '<b>Hi</b>', format: 'html' },
        `POST ${IN}/1616990032035/replies {${html}}`,
      ],
    ],
    send_chat_message: [
      [{ chat_id: '19:2da4@thread.v2', text: 'Hi' }, `POST ${CHAT} {${text}}`],
      [
        { chat_id: '19:2da4@thread.v2', text: '<b>Hi</b>', format: 'html', importance: 'urgent' },
        `POST ${CHAT} {${html},"importance":"urgent"}`,
      ],
    ],
    create_chat: [
      [
        { people: ['bob@x.example'] },
        'GET /v1.0/me?%24select=id',
        `POST /v1.0/chats {"chatType":"oneOnOne","members":[${member('me1')},${member('bob@x.example')}]}`,
      ],
      [
        { people: ['u2', 'u3'], topic: 'Tea' },
        'GET /v1.0/me?%24select=id',
        `POST /v1.0/chats {"chatType":"group","topic":"Tea","members":[${['me1', 'u2', 'u3'].map(member).join(',')}]}`,
      ],
      [
        { people: ['u2'], topic: 'Tea' },
        'GET /v1.0/me?%24select=id',
        `POST /v1.0/chats {"chatType":"group","topic":"Tea","members":[${['me1', 'u2'].map(member).join(',')}]}`,
      ],
    ],
    list_teams: [
      [{}, 'GET /v1.0/me/joinedTeams'],
      [{ limit: 5 }, 'GET /v1.0/me/joinedTeams'],
    ],
    list_channels: [
      [team, `GET /v1.0/teams/${TEAM}/channels?${SELECT}`],
      [{ ...team, limit: 5 }, `GET /v1.0/teams/${TEAM}/channels?${SELECT}`],
    ],
    create_channel: [
      [{ ...team, name: 'Tea' }, `POST /v1.0/teams/${TEAM}/channels {"displayName":"Tea"}`],
      [
        { ...team, name: 'Tea', description: 'About tea', type: 'private' },
        `POST /v1.0/teams/${TEAM}/channels {"displayName":"Tea","description":"About tea","membershipType":"private"}`,
      ],
    ],
    list_messages: [
      [channel, `GET ${IN}?%24top=25`],
      [{ ...channel, limit: 500 }, `GET ${IN}?%24top=50`],
    ],
    list_members: [
      [team, `GET /v1.0/teams/${TEAM}/members`],
      [{ ...team, limit: 5 }, `GET /v1.0/teams/${TEAM}/members`],
    ],
    create_meeting: [
      [
        { subject: 'Tea', start: '2026-01-31T10:00:00+01:00' },
        'POST /v1.0/me/onlineMeetings {"subject":"Tea","startDateTime":"2026-01-31T09:00:00.000Z",' +
          '"endDateTime":"2026-01-31T10:00:00.000Z"}',
      ],
      [
        { subject: 'Tea', start: '2026-01-31T09:00:00Z', minutes: 15 },
        'POST /v1.0/me/onlineMeetings {"subject":"Tea","startDateTime":"2026-01-31T09:00:00.000Z",' +
          '"endDateTime":"2026-01-31T09:15:00.000Z"}',
      ],
    ],
    list_chats: [
      [{}, 'GET /v1.0/me/chats?%24top=25'],
      [{ limit: 500 }, 'GET /v1.0/me/chats?%24top=50'],
    ],
  });
});

it('returns messages with their sender', async () => {
  const message = {
    ...{ id: '1', subject: null, body: { contentType: 'html', content: '<p>Hi</p>' }, etag: 'x' },
    ...{ from: { user: { id: 'u1', displayName: 'Ada' } }, attachments: [{ name: 'a.pdf', id: 'f' }] },
  };
  const reply = () => json({ value: [message] });
  const { output } = await runPiece({ ...setting, reply }, 'list_messages', channel);
  const short = { id: '1', subject: null, content: '<p>Hi</p>', contentType: 'html', from: 'Ada', fromId: 'u1' };
  expect(output).toEqual({ items: [{ ...short, attachments: ['a.pdf'] }] });
});

it.each<[string, JsonObject]>([
  ['list_teams', {}],
  ['list_channels', team],
  ['list_messages', channel],
  ['list_members', team],
  ['list_chats', {}],
])('reads the pages of %s', async (action, input) => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('skiptoken')
      ? json({ value: [{ id: '2' }] })
      : json({
          value: [{ id: '1' }],
          '@odata.nextLink': `https://graph.microsoft.com${url.split('?')[0]}?$skiptoken=x`,
        });
  const { output } = await runPiece({ ...setting, reply }, action, input);
  expect((output['items'] as { id: string }[]).map(({ id }) => id)).toEqual(['1', '2']);
});

it.each([
  ['team_id', 'send_channel_message', { displayName: 'Tea', id: '1' }, 'Tea'],
  ['channel_id', 'send_channel_message', { displayName: 'Tea', id: '1' }, 'Tea'],
  ['chat_id', 'send_chat_message', { topic: 'Tea', members: [{ displayName: 'Ann' }], id: '1' }, 'Tea'],
  [
    'chat_id',
    'send_chat_message',
    { topic: null, members: [{ displayName: 'Ann' }, { displayName: 'Bob' }], id: '1' },
    'Ann, Bob',
  ],
  ['chat_id', 'send_chat_message', { topic: null, chatType: 'oneOnOne', id: '1' }, 'oneOnOne'],
])('offers the options of %s', async (property, action, item, label) => {
  const reply = () => json({ value: [item] });
  const { output, received } = await optionsOf({ ...setting, reply }, [action, property], team);
  expect(output.options).toEqual([{ label, value: '1' }]);
  expect(received.flatMap(check)).toEqual([]);
});

it('creates no chat without the id of the connected user', async () => {
  const ran = runPiece({ ...setting, reply: () => json({}) }, 'create_chat', { people: ['u2'] });
  await expect(ran).rejects.toThrow('no id of the connected user');
});

it('offers no channels without a team', async () => {
  const { output } = await optionsOf(setting, ['send_channel_message', 'channel_id'], { team_id: '../x' });
  expect(output).toMatchObject({ options: [], disabled: true });
});

it('tests a credential by its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({}));
  await testCredential(microsoftTeams, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /v1.0/me']);
});
