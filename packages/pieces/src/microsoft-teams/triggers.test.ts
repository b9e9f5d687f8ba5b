import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toGraphNotation } from '../../testing/graph-notation.js';
import { readDescription } from '../../testing/read-description.js';
import { json, pollingOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { microsoftTeams } from './index.js';

const described = by(readDescription('microsoft-teams'));
const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;
const TEAM = '57fb72d0-d811-46f4-8947-305e6072eaa5';
const channel = { team_id: TEAM, channel_id: '19:4b63@thread.tacv2' };
const LINK = 'https://graph.microsoft.com/v1.0/teams/x/delta';

async function poll(name: string, input: JsonObject, reply: (request: Recorded) => Reply, cursor?: JsonValue) {
  const { output, asked, received } = await runTrigger({ piece: microsoftTeams, credential, reply }, input, (context) =>
    pollingOf(microsoftTeams, name).poll({ ...context, cursor }),
  );
  return { ...output, asked, received };
}

const at = (seconds: number): string => new Date(Date.now() + seconds * 1_000).toISOString();
const message = (id: string, createdDateTime: string, messageType = 'message') => ({
  ...{ id, createdDateTime, messageType, body: { contentType: 'text', content: id } },
});

describe('new_channel_message', () => {
  const start = () =>
    poll('new_channel_message', channel, () => json({ value: [], '@odata.deltaLink': `${LINK}?$deltatoken=d1` }));

  it('starts at the present', async () => {
    const { events, cursor, asked, received } = await start();
    expect(events).toEqual([]);
    expect(cursor).toMatchObject({ link: '/v1.0/teams/x/delta?$deltatoken=d1' });
    const path = `/v1.0/teams/${TEAM}/channels/19%3A4b63%40thread.tacv2/messages/delta`;
    expect(asked[0]).toMatch(new RegExp(`^GET ${path}\\?%24filter=lastModifiedDateTime\\+gt\\+\\d{4}.*&%24top=50$`));
    expect(received.flatMap((request) => described(toGraphNotation(request)))).toEqual([]);
  });

  it('returns new messages of all pages, and neither changed nor system messages', async () => {
    const { cursor } = await start();
    const reply = ({ url }: Recorded): Reply =>
      url.includes('skiptoken')
        ? json({ value: [message('c', at(2))], '@odata.deltaLink': `${LINK}?$deltatoken=d2` })
        : json({
            value: [message('a', at(1)), message('old', at(-60)), message('s', at(1), 'systemEventMessage')],
            '@odata.nextLink': `${LINK}?$skiptoken=s1`,
          });
    const next = await poll('new_channel_message', channel, reply, cursor);
    expect(next.events.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(next.events[0]?.data).toMatchObject({ id: 'a', content: 'a', contentType: 'text' });
    expect(next.cursor).toMatchObject({ link: '/v1.0/teams/x/delta?$deltatoken=d2' });
    expect(next.isMore).toBeUndefined();
  });

  it('begins anew where Microsoft has forgotten the changes', async () => {
    const { cursor } = await start();
    const reply = ({ url }: Recorded): Reply =>
      url.includes('d1')
        ? json({ error: { code: 'resyncRequired' } }, 410)
        : json({ value: [], '@odata.deltaLink': LINK });
    const next = await poll('new_channel_message', channel, reply, cursor);
    expect([next.events, next.cursor]).toEqual([[], expect.objectContaining({ link: '/v1.0/teams/x/delta' })]);
  });

  it('continues soon where it did not read all pages', async () => {
    const { cursor } = await start();
    let page = 0;
    const reply = (): Reply => json({ value: [], '@odata.nextLink': `${LINK}?$skiptoken=${++page}` });
    const next = await poll('new_channel_message', channel, reply, cursor);
    expect(next.isMore).toBe(true);
    expect(next.cursor).toMatchObject({ link: '/v1.0/teams/x/delta?$skiptoken=20' });
  });
});

it('new_chat_message returns each message once', async () => {
  const input = { chat_id: '19:2da4@thread.v2' };
  const [first, second] = [message('a', '2026-01-31T09:00:00Z'), message('b', '2026-01-31T09:01:00Z')];
  const started = await poll('new_chat_message', input, () => json({ value: [first] }));
  expect(started.events).toEqual([]);
  expect(started.asked).toEqual([
    'GET /v1.0/chats/19%3A2da4%40thread.v2/messages?%24top=50&%24orderby=createdDateTime+desc',
  ]);
  const next = await poll('new_chat_message', input, () => json({ value: [second, first] }), started.cursor);
  expect(next.events.map(({ id }) => id)).toEqual(['b']);
});

it('new_member returns the members that were not there', async () => {
  const input = { team_id: TEAM };
  const person = (userId: string) => ({ id: `m-${userId}`, userId, displayName: userId, email: `${userId}@x.example` });
  const started = await poll('new_member', input, () => json({ value: [person('a')] }));
  expect([started.events, started.cursor]).toEqual([[], ['a']]);
  expect(started.received.flatMap((request) => described(toGraphNotation(request)))).toEqual([]);
  const next = await poll('new_member', input, () => json({ value: [person('a'), person('b')] }), started.cursor);
  expect(next.events).toEqual([{ id: 'b', data: { id: 'm-b', displayName: 'b', email: 'b@x.example', userId: 'b' } }]);
  const gone = await poll('new_member', input, () => json({ value: [person('b')] }), next.cursor);
  expect(gone.cursor).toEqual(['b']);
});
