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
  const DELTA = `/v1.0/teams/${TEAM}/channels/19%3A4b63%40thread.tacv2/messages/delta`;
  const NOW = Date.UTC(2026, 0, 31, 12);
  const FIRST = { first: NOW, since: NOW };
  const clock = Date.now;
  beforeEach(() => void (Date.now = () => NOW));
  afterEach(() => void (Date.now = clock));

  const from = (time: string): string => `GET ${DELTA}?%24filter=lastModifiedDateTime+gt+${time}&%24top=50`;
  const last = (token: string, ...value: object[]): Reply =>
    json({ value, '@odata.deltaLink': `${LINK}?$deltatoken=${token}` });
  const link = (token: string): string => `/v1.0/teams/x/delta?$deltatoken=${token}`;
  const pollNow = (reply: (request: Recorded) => Reply, cursor?: JsonValue) =>
    poll('new_channel_message', channel, reply, cursor);

  it('starts at the present', async () => {
    const { events, cursor, asked, received } = await pollNow(() => last('d1', message('a', at(1))));
    expect([events, cursor]).toEqual([[], FIRST]);
    expect(asked).toEqual([from('2026-01-31T12%3A00%3A00.000Z')]);
    expect(received.flatMap((request) => described(toGraphNotation(request)))).toEqual([]);
  });

  it('finds what was sent since the first poll, the oldest message first', async () => {
    const { events, cursor, asked } = await pollNow(() => last('d1', message('b', at(2)), message('a', at(1))), FIRST);
    expect(events.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(cursor).toEqual({ ...FIRST, link: link('d1') });
    expect(asked).toEqual([from('2026-01-31T12%3A00%3A00.000Z')]);
  });

  it('returns new messages of all pages, and no changed, deleted or system messages', async () => {
    const system = message('s', at(1), 'systemEventMessage');
    const deleted = { ...message('d', at(1)), deletedDateTime: at(2) };
    const next = ({ url }: Recorded): Reply =>
      url.includes('skiptoken')
        ? last('d2', message('c', at(2)))
        : json({
            value: [message('a', at(1)), message('old', at(-1)), system, deleted],
            '@odata.nextLink': `${LINK}?$skiptoken=s1`,
          });
    const { events, cursor, asked, isMore } = await pollNow(next, { ...FIRST, link: link('d1') });
    expect(events.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(events[0]?.data).toMatchObject({ id: 'a', content: 'a', contentType: 'text' });
    expect([cursor, isMore]).toEqual([{ ...FIRST, link: link('d2') }, undefined]);
    expect(asked).toEqual([`GET ${link('d1')}`, 'GET /v1.0/teams/x/delta?$skiptoken=s1']);
  });

  it('finds a message that appears up to an hour late, and no message that is older', async () => {
    const seen = { first: 0, since: NOW, link: link('d1') };
    const late = [message('late', at(-3_600)), message('old', at(-3_601))];
    const { events } = await pollNow(() => last('d2', ...late), seen);
    expect(events.map(({ id }) => id)).toEqual(['late']);
  });

  it('loses no message where Microsoft has forgotten the changes', async () => {
    const reply = ({ url }: Recorded): Reply =>
      url.includes('d1') ? json({ error: { code: 'resyncRequired' } }, 410) : last('d9', message('a', at(-7_000)));
    const since = NOW - 7_200_000;
    const { events, cursor, asked } = await pollNow(reply, { first: 0, since, link: link('d1') });
    expect(events.map(({ id }) => id)).toEqual(['a']);
    expect(cursor).toEqual({ first: 0, since: NOW, link: link('d9') });
    expect(asked[1]).toBe(from('2026-01-31T09%3A00%3A00.000Z'));
  });

  it('fails where the changes are forgotten at once', async () => {
    await expect(pollNow(() => json({ error: { code: 'resyncRequired' } }, 410), FIRST)).rejects.toThrow('no changes');
  });

  it.each([
    ['pages', '', 20],
    ['characters', 'x'.repeat(900_000), 3],
  ])('continues soon where it read the most %s', async (_, filler, pages) => {
    let page = 0;
    const reply = (): Reply => json({ value: [{ filler }], '@odata.nextLink': `${LINK}?$skiptoken=${++page}` });
    const seen = { first: 0, since: NOW - 1, link: link('d1') };
    const { cursor, isMore } = await pollNow(reply, seen);
    expect(isMore).toBe(true);
    expect(cursor).toEqual({ ...seen, link: `/v1.0/teams/x/delta?$skiptoken=${pages}` });
  });

  it('sends nothing to the origin of a foreign link', async () => {
    const { cursor } = await pollNow(
      () => json({ value: [], '@odata.deltaLink': 'https://evil.example/x?y=1' }),
      FIRST,
    );
    expect(cursor).toEqual({ ...FIRST, link: '/x?y=1' });
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
  const system = message('s', '2026-01-31T09:02:00Z', 'systemEventMessage');
  const next = await poll('new_chat_message', input, () => json({ value: [system, second, first] }), started.cursor);
  expect(next.events.map(({ id }) => id)).toEqual(['b']);
});

it('new_member returns the members that were not there, also those who return', async () => {
  const input = { team_id: TEAM };
  const person = (userId: string) => ({ id: `m-${userId}`, userId, displayName: userId, email: `${userId}@x.example` });
  const started = await poll('new_member', input, () => json({ value: [person('a')] }));
  expect([started.events, started.cursor]).toEqual([[], { users: ['a'], round: 0 }]);
  expect(started.asked).toEqual([`GET /v1.0/teams/${TEAM}/members?%24top=999`]);
  expect(started.received.flatMap((request) => described(toGraphNotation(request)))).toEqual([]);
  const pollMembers = (members: object[], cursor: JsonValue) =>
    poll('new_member', input, () => json({ value: members }), cursor);
  const next = await pollMembers([person('a'), person('b')], started.cursor);
  const data = { id: 'm-b', displayName: 'b', email: 'b@x.example', userId: 'b' };
  expect(next.events).toEqual([{ id: 'b 0', data }]);
  expect((await pollMembers([person('a'), person('b')], started.cursor)).events).toEqual(next.events);
  const gone = await pollMembers([person('a')], next.cursor);
  expect([gone.events, gone.cursor]).toEqual([[], { users: ['a'], round: 1 }]);
  const back = await pollMembers([person('a'), person('b')], gone.cursor);
  expect(back.events).toEqual([{ id: 'b 1', data }]);
});
