import type { JsonObject, JsonValue, PollingTrigger } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { discord } from './index.js';
import { byAge } from './snowflake.js';
import { newMember } from './triggers/new-member.js';
import { newMessage } from './triggers/new-message.js';

const description = readDescription('discord');
const check = by(description);

/** Polls a fake list and checks its requests. */
async function poll(
  trigger: PollingTrigger,
  reply: (asked: URLSearchParams) => Reply,
  input: JsonObject,
  cursor?: JsonValue,
) {
  const answer = ({ url }: Recorded) => reply(new URL(url, 'https://discord.com').searchParams);
  const { output, received, asked } = await runTrigger({ piece: discord, reply: answer }, input, (context) =>
    trigger.poll({ ...context, cursor }),
  );
  expect(received.flatMap(check)).toEqual([]);
  return { polled: output, ids: output.events.map(({ id }) => id), cursor: output.cursor, asked };
}

describe('new_message', () => {
  const channel_id = '155101607195836416';
  const BASE = 9_223_372_036_854_770_000n;
  /** The id exceeds the exact range of numbers. */
  const at = (index: number): string => String(BASE + BigInt(index));
  const made = (index: number, more: JsonObject = {}): JsonObject => ({
    ...{ id: at(index), type: 0, content: 'Hi', author: { id: '1', username: 'ann' }, ...more },
  });

  /** Responds as Discord does, with the oldest messages after an id or with the newest messages, in both cases newest first. */
  const pollMessages = (messages: JsonObject[], cursor?: JsonValue, input: JsonObject = {}) => {
    const sorted = [...messages].sort((one, other) => byAge(String(one['id']), String(other['id'])));
    const reply = (asked: URLSearchParams): Reply => {
      const [after, limit] = [asked.get('after'), Number(asked.get('limit'))];
      const rest = sorted.filter(({ id }) => after === null || byAge(String(id), after) > 0);
      return json((after === null ? rest.slice(-limit) : rest.slice(0, limit)).reverse());
    };
    return poll(newMessage, reply, { channel_id, ...input }, cursor);
  };

  it('stores the newest id at the first poll and delivers nothing', async () => {
    expect(await pollMessages([made(1), made(2)])).toMatchObject({
      ...{ ids: [], cursor: at(2), asked: [`GET /api/v10/channels/${channel_id}/messages?limit=1`] },
    });
    const none = await pollMessages([]);
    expect(none).toMatchObject({ ids: [], cursor: '0' });
    expect((await pollMessages([made(1)], none.cursor)).ids).toEqual([at(1)]);
  });

  it('delivers each message once, oldest first, and the same from the same cursor', async () => {
    const list = [made(1), made(2), made(3)];
    const next = await pollMessages(list, at(1));
    expect(next).toMatchObject({
      ...{ ids: [at(2), at(3)], cursor: at(3) },
      asked: [`GET /api/v10/channels/${channel_id}/messages?after=${at(1)}&limit=100`],
    });
    expect(next.polled.events[0]).toEqual({ id: at(2), data: made(2) });
    expect(await pollMessages(list, at(1))).toEqual(next);
    expect(await pollMessages(list, next.cursor)).toMatchObject({ ids: [], cursor: at(3) });
  });

  it('continues after the last delivered message was deleted', async () => {
    expect((await pollMessages([made(1), made(4)], at(3))).ids).toEqual([at(4)]);
  });

  it('reads several pages, and leaves the rest to the next poll', async () => {
    const list = Array.from({ length: 1_150 }, (_, index) => made(index + 1));
    const first = await pollMessages(list, at(0));
    expect([first.ids.length, first.cursor, first.asked.length]).toEqual([1_000, at(1_000), 10]);
    const second = await pollMessages(list, first.cursor);
    expect([...first.ids, ...second.ids]).toEqual(list.map(({ id }) => id));
  });

  it('delivers large messages in several polls', async () => {
    const list = [1, 2, 3, 4].map((index) => made(index, { content: 'x'.repeat(1_500_000) }));
    const first = await pollMessages(list, at(0));
    expect([first.ids, (await pollMessages(list, first.cursor)).ids]).toEqual([
      [at(1), at(2)],
      [at(3), at(4)],
    ]);
  });

  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['that is a reply', { type: 19 }, {}, true],
    ['that someone joined', { type: 7 }, {}, false],
    ['that is pinned', { type: 6 }, { bots: true }, false],
    ['of a bot', { author: { id: '1', username: 'b', bot: true } }, {}, false],
    ['of a webhook', { webhook_id: '5' }, {}, false],
    ['of a bot if bots are included', { author: { id: '1', username: 'b', bot: true } }, { bots: true }, true],
    ['of a command if bots are included', { type: 20, webhook_id: '5' }, { bots: true }, true],
  ])('includes or skips a message %s', async (_, more, input, expected) => {
    const message = made(2, more);
    expect(checkResponse(description, 'GET /channels/{channel_id}/messages', [message])).toEqual([]);
    expect(await pollMessages([message], at(1), input)).toMatchObject({ ids: expected ? [at(2)] : [], cursor: at(2) });
  });
});

describe('new_member', () => {
  const guild_id = '81384788765712384';
  const joined = (id: number, second: number, more: JsonObject = {}): JsonObject => ({
    user: { id: String(id), username: `user-${id}`, ...more },
    joined_at: `2026-01-01T00:00:${String(second).padStart(2, '0')}.123456+00:00`,
  });
  const idOf = ({ user, joined_at }: JsonObject): string => `${(user as JsonObject)['id']} ${joined_at}`;

  /** Responds as Discord does, with members ordered by their user id. */
  const pollMembers = (members: JsonObject[], cursor?: JsonValue, input: JsonObject = {}) => {
    const reply = (asked: URLSearchParams): Reply => {
      const after = Number(asked.get('after') ?? 0);
      const rest = members.filter(({ user }) => Number((user as JsonObject)['id']) > after);
      const sorted = rest.sort((one, other) => byAge(idOf(one).split(' ')[0]!, idOf(other).split(' ')[0]!));
      return json(sorted.slice(0, Number(asked.get('limit'))));
    };
    return poll(newMember, reply, { guild_id, ...input }, cursor);
  };

  it('delivers no members at the first poll', async () => {
    const first = await pollMembers([joined(1, 9), joined(2, 5), joined(3, 9)]);
    expect([first.ids, first.asked]).toEqual([[], [`GET /api/v10/guilds/${guild_id}/members?limit=1000`]]);
    expect((await pollMembers([joined(1, 9), joined(2, 5), joined(3, 9)], first.cursor)).ids).toEqual([]);
    expect((await pollMembers([joined(1, 1)], (await pollMembers([])).cursor)).ids).toHaveLength(1);
  });

  it('delivers each member once in the order of joining, whatever the id of the user', async () => {
    const old = [joined(50, 5), joined(60, 4)];
    const { cursor } = await pollMembers(old);
    const list = [joined(10, 8), joined(99, 7), ...old, joined(70, 5)];
    expect(checkResponse(description, 'GET /guilds/{guild_id}/members', list)).toEqual([]);
    const next = await pollMembers(list, cursor);
    expect(next.ids).toEqual([joined(70, 5), joined(99, 7), joined(10, 8)].map(idOf));
    expect(next.polled.events[2]?.data).toEqual({ ...joined(10, 8), guild_id });
    expect(await pollMembers(list, cursor)).toEqual(next);
    expect((await pollMembers(list, next.cursor)).ids).toEqual([]);
  });

  it('delivers a member who joins again', async () => {
    const { cursor } = await pollMembers([joined(1, 1), joined(2, 2)]);
    expect((await pollMembers([joined(1, 9), joined(2, 2)], cursor)).ids).toEqual([idOf(joined(1, 9))]);
  });

  it('skips bots, unless they are included', async () => {
    const { cursor } = await pollMembers([joined(1, 1)]);
    const list = [joined(1, 1), joined(2, 2, { bot: true })];
    expect((await pollMembers(list, cursor)).ids).toEqual([]);
    expect((await pollMembers(list, cursor, { bots: true })).ids).toEqual([idOf(joined(2, 2))]);
  });

  it('reads all pages, and delivers at most 1,000 members at once', async () => {
    const { cursor } = await pollMembers([joined(1, 1)]);
    const list = Array.from({ length: 2_300 }, (_, index) => joined(index + 1, index === 0 ? 1 : 2 + (index % 50)));
    const first = await pollMembers(list, cursor);
    expect(first.asked).toHaveLength(3);
    const second = await pollMembers(list, first.cursor);
    const third = await pollMembers(list, second.cursor);
    const all = [...first.ids, ...second.ids, ...third.ids];
    expect([new Set(all).size, all.length]).toEqual([2_299, 2_299]);
  });
});
