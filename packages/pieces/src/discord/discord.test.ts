import { InputError, isCredentialRefused, type JsonObject, type JsonValue, ProviderError } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { readMultipart } from '../../testing/read-multipart.js';
import { json, optionsOf, runPiece, type Setting } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by, type Check, itIsAccepted } from '../../testing/witness.js';
import { discord } from './index.js';
import { byAge, snowflakeOf } from './snowflake.js';

const description = readDescription('discord');
const checkJson = by(description);

/** Checks the JSON in a multipart form like a body, because the description does not describe it. */
const check: Check = (request) => {
  const [payload, ...files] = readMultipart(request) ?? [];
  if (!payload) return checkJson(request);
  const wrong = [payload, ...files].filter(({ name }, index) => name !== (index ? 'files[0]' : 'payload_json'));
  const headers = { 'content-type': payload.type };
  return wrong.length ? [`unknown part ${wrong[0]?.name}`] : checkJson({ ...request, headers, body: payload.content });
};

const credential = { type: 'SECRET_TEXT', secretText: 'canary' } as const;
const dm = { id: '77' };
const reply = ({ url }: Recorded): Reply => json(url === '/api/v10/users/@me/channels' ? dm : {});
const setting: Setting = { piece: discord, credential, reply };
const run = (action: string, input: JsonObject, answer: Setting['reply'] = reply) =>
  runPiece({ ...setting, reply: answer }, action, input);

const AT = '/api/v10';
const guild_id = '81384788765712384';
const channel_id = '155101607195836416';
const message_id = '334385199974967042';
const user_id = '53908232506183680';
const role_id = '41771983423143936';
const embeds = [{ title: 'Build', description: 'Passed', url: 'https://acme.example', color: 5_763_719 }];
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const news = { content: 'Hi', embeds, mentions: ['users'], suppress_embeds: true, silent: true };
const newsJson =
  '{"content":"Hi","embeds":[{"title":"Build","description":"Passed","url":"https://acme.example","color":5763719}]' +
  ',"allowed_mentions":{"parse":["users"]}';

describe('requests', () => {
  itIsAccepted(setting, check, {
    send_message: [
      [{ channel_id, content: 'Hi' }, `POST ${AT}/channels/${channel_id}/messages {"content":"Hi"}`],
      [
        { guild_id, channel_id, ...news, reply_to: message_id },
        `POST ${AT}/channels/${channel_id}/messages ${newsJson},"message_reference":{"message_id":"${message_id}"},"flags":4100}`,
      ],
      [
        { channel_id, content: 'Hi', file, mentions: [], silent: true },
        `POST ${AT}/channels/${channel_id}/messages payload_json=application/json;` +
          '{"content":"Hi","allowed_mentions":{"parse":[]},"flags":4096}&files[0]=@a.txt;text/plain;hi',
      ],
      [
        { channel_id, content: 'Hi', suppress_embeds: true },
        `POST ${AT}/channels/${channel_id}/messages {"content":"Hi","flags":4}`,
      ],
    ],
    send_direct_message: [
      [
        { user_id, content: 'Hi' },
        `POST ${AT}/users/@me/channels {"recipient_id":"${user_id}"}`,
        `POST ${AT}/channels/77/messages {"content":"Hi"}`,
      ],
      [
        { guild_id, user_id, ...news, file },
        `POST ${AT}/users/@me/channels {"recipient_id":"${user_id}"}`,
        `POST ${AT}/channels/77/messages payload_json=application/json;${newsJson},"flags":4100}&files[0]=@a.txt;text/plain;hi`,
      ],
    ],
    edit_message: [
      [
        { channel_id, message_id, content: 'Ho' },
        `PATCH ${AT}/channels/${channel_id}/messages/${message_id} {"content":"Ho"}`,
      ],
      [
        { guild_id, channel_id, message_id, content: 'Ho', embeds: [{ title: 'x' }], mentions: ['everyone', 'roles'] },
        `PATCH ${AT}/channels/${channel_id}/messages/${message_id} {"content":"Ho","embeds":[{"title":"x"}]` +
          ',"allowed_mentions":{"parse":["everyone","roles"]}}',
      ],
    ],
    delete_message: [
      [{ channel_id, message_id }, `DELETE ${AT}/channels/${channel_id}/messages/${message_id}`],
      [{ guild_id, channel_id, message_id }, `DELETE ${AT}/channels/${channel_id}/messages/${message_id}`],
    ],
    add_reaction: [
      [
        { channel_id, message_id, emoji: '👍' },
        `PUT ${AT}/channels/${channel_id}/messages/${message_id}/reactions/%F0%9F%91%8D/@me`,
      ],
      [
        { guild_id, channel_id, message_id, emoji: 'party:417' },
        `PUT ${AT}/channels/${channel_id}/messages/${message_id}/reactions/party%3A417/@me`,
      ],
    ],
    list_messages: [
      [{ channel_id }, `GET ${AT}/channels/${channel_id}/messages?limit=50`],
      [
        { guild_id, channel_id, from: '2026-01-01T00:00:00Z', until: '2015-01-01T00:00:01Z', limit: 1000 },
        `GET ${AT}/channels/${channel_id}/messages?limit=100&before=4194304000`,
      ],
    ],
    create_channel: [
      [{ guild_id, name: 'news' }, `POST ${AT}/guilds/${guild_id}/channels {"name":"news"}`],
      [
        { guild_id, name: 'news', type: 5, topic: 'All', parent_id: '9', nsfw: false, rate_limit_per_user: 21_600 },
        `POST ${AT}/guilds/${guild_id}/channels {"name":"news","type":5,"topic":"All","parent_id":"9","nsfw":false,"rate_limit_per_user":21600}`,
      ],
    ],
    create_thread: [
      [{ channel_id, name: 'Tea' }, `POST ${AT}/channels/${channel_id}/threads {"name":"Tea","type":11}`],
      [
        { guild_id, channel_id, name: 'Tea', type: 12, auto_archive_duration: 60, rate_limit_per_user: 5 },
        `POST ${AT}/channels/${channel_id}/threads {"name":"Tea","auto_archive_duration":60,"rate_limit_per_user":5,"type":12}`,
      ],
      [
        { channel_id, name: 'Tea', message_id, auto_archive_duration: 1440 },
        `POST ${AT}/channels/${channel_id}/messages/${message_id}/threads {"name":"Tea","auto_archive_duration":1440}`,
      ],
      [
        { channel_id, name: 'Tea', forum_message: 'Hi' },
        `POST ${AT}/channels/${channel_id}/threads {"name":"Tea","message":{"content":"Hi"}}`,
      ],
    ],
    add_role: [[{ guild_id, user_id, role_id }, `PUT ${AT}/guilds/${guild_id}/members/${user_id}/roles/${role_id}`]],
    remove_role: [
      [{ guild_id, user_id, role_id }, `DELETE ${AT}/guilds/${guild_id}/members/${user_id}/roles/${role_id}`],
    ],
    get_member: [[{ guild_id, user_id }, `GET ${AT}/guilds/${guild_id}/members/${user_id}`]],
  });

  it('authenticate as a bot and name their client in the format of Discord', async () => {
    const { received } = await run('get_member', { guild_id, user_id });
    expect(received[0]?.headers.authorization).toBe('Bot canary');
    expect(received[0]?.headers['user-agent']).toMatch(/^DiscordBot \(https:\/\/\S+, \d+\)$/);
  });

  it('cannot start a thread below a message with a post', async () => {
    const both = run('create_thread', { channel_id, name: 'Tea', message_id, forum_message: 'Hi' });
    await expect(both).rejects.toThrow(new InputError('forum_message', 'cannot be combined with message_id'));
  });

  it('to a user need a channel', async () => {
    expect(checkResponse(description, 'POST /users/@me/channels', dm)).toEqual([]);
    const none = run('send_direct_message', { user_id, content: 'Hi' }, () => json({}));
    await expect(none).rejects.toThrow('Discord returned no channel for the direct message');
  });
});

describe('ids', () => {
  it('are compared by value', () => {
    expect(['10', '9', '18446744073709551615', '18446744073709551614', '9'].sort(byAge)).toEqual([
      ...['9', '9', '10', '18446744073709551614', '18446744073709551615'],
    ]);
  });

  it.each([
    ['2015-01-01T00:00:00Z', '0'],
    ['2000-01-01T00:00:00Z', '0'],
    // The first example is the snowflake in the documentation: https://docs.discord.com/developers/reference#snowflakes
    ['2016-04-30T11:18:25.796Z', String(175928847299117063n - (175928847299117063n % 4194304n))],
  ])('begin at %s with %s', (moment, id) => expect(snowflakeOf(moment)).toBe(id));
});

describe('list_messages', () => {
  const author = { id: user_id, username: 'mason', global_name: 'Mason', bot: false };
  const attachment = { id: '8', filename: 'a.png', url: 'https://cdn.example/a', size: 2, content_type: 'image/png' };
  const written = (id: number): JsonObject => ({
    ...{ id: String(id), type: 19, content: `No. ${id}`, timestamp: 't', edited_timestamp: 'u', author },
    ...{ attachments: [attachment], message_reference: { message_id: '7' }, thread: { id: '6' } },
  });

  it('returns the parts that people need', async () => {
    expect(checkResponse(description, 'GET /channels/{channel_id}/messages', [written(5)])).toEqual([]);
    const { output } = await run('list_messages', { channel_id }, () => json([{ ...written(5), tts: false }]));
    const { message_reference: _reference, thread: _thread, ...kept } = written(5);
    expect(output).toEqual({ items: [{ ...kept, reply_to: '7', thread_id: '6' }] });
    const bare = await run('list_messages', { channel_id }, () => json([{ id: '5', type: 0, author: { id: '1' } }]));
    expect(bare.output).toMatchObject({ items: [{ reply_to: null, thread_id: null, author: { id: '1' } }] });
  });

  const all = Array.from({ length: 250 }, (_, index) => written(1250 - index));
  const list = ({ url }: Recorded): Reply => {
    const { searchParams } = new URL(url, 'https://discord.com');
    const before = Number(searchParams.get('before') ?? Infinity);
    return json(all.filter(({ id }) => Number(id) < before).slice(0, Number(searchParams.get('limit'))));
  };

  it('reads as many pages as it needs', async () => {
    const { output, asked } = await run('list_messages', { channel_id, limit: 150 }, list);
    expect((output.items as JsonObject[]).map(({ id }) => id)).toEqual(all.slice(0, 150).map(({ id }) => id));
    expect(asked.map((one) => one.split('?')[1])).toEqual(['limit=100', 'limit=100&before=1151']);
    const whole = await run('list_messages', { channel_id, limit: 1000 }, list);
    expect([whole.output.items, whole.asked]).toMatchObject([{ length: 250 }, { length: 3 }]);
  });

  it('ends at the first message before the time', async () => {
    const at = (moment: string) => ({ ...written(1), id: snowflakeOf(moment) });
    const days = [at('2026-01-03T00:00:00Z'), at('2026-01-02T00:00:00Z'), at('2026-01-01T00:00:00Z')];
    const { output } = await run('list_messages', { channel_id, from: '2026-01-02T00:00:00Z' }, () => json(days));
    expect((output.items as JsonObject[]).map(({ id }) => id)).toEqual(days.slice(0, 2).map(({ id }) => id));
  });
});

describe('options', () => {
  const answer = (operation: string, items: JsonValue): Reply => {
    expect(checkResponse(description, operation, items)).toEqual([]);
    return json(items);
  };

  it('list all servers of the bot', async () => {
    const servers = Array.from({ length: 250 }, (_, index) => ({ id: String(900 + index), name: `Server ${index}` }));
    const paged = ({ url }: Recorded): Reply => {
      const after = Number(new URL(url, 'https://discord.com').searchParams.get('after') ?? 0);
      return answer('GET /users/@me/guilds', servers.filter(({ id }) => Number(id) > after).slice(0, 200));
    };
    const { output, asked, received } = await optionsOf({ ...setting, reply: paged }, ['add_role', 'guild_id']);
    expect(output.options).toHaveLength(250);
    expect(output.options[0]).toEqual({ label: 'Server 0', value: '900' });
    expect(asked).toEqual([`GET ${AT}/users/@me/guilds?limit=200`, `GET ${AT}/users/@me/guilds?limit=200&after=1099`]);
    expect(received.flatMap(check)).toEqual([]);
  });

  const kinds = [0, 2, 4, 5, 13, 15].map((type) => ({ id: String(type + 1), name: `kind-${type}`, type }));
  const given = [
    ...[
      { id: guild_id, name: '@everyone', managed: false },
      { id: '5', name: 'Admin', managed: false },
    ],
    { id: '6', name: 'Other bot', managed: true },
  ];
  const people = [
    { nick: 'Ann', user: { id: '1', username: 'ann1', global_name: 'Anna' } },
    { nick: null, user: { id: '2', username: 'bo', global_name: 'Bo B.' } },
    { nick: null, user: { id: '3', username: 'cy', global_name: null } },
  ];
  const named = ['Ann (@ann1)', 'Bo B. (@bo)', 'cy (@cy)'];

  it.each<[string, string, JsonValue, string[]]>([
    ['send_message.channel_id', 'channels', kinds, ['#kind-0', '#kind-2', '#kind-5', '#kind-13']],
    ['create_thread.channel_id', 'channels', kinds, ['#kind-0', '#kind-5', '#kind-15']],
    ['create_channel.parent_id', 'channels', kinds, ['#kind-4']],
    ['add_role.role_id', 'roles', given, ['Admin']],
    ['add_role.user_id', 'members', people, named],
  ])('of %s depend on the server', async (select, list, items, expected) => {
    const [action = '', property = ''] = select.split('.');
    const reply = () => answer(`GET /guilds/{guild_id}/${list}`, items);
    const { output, asked, received } = await optionsOf({ ...setting, reply }, [action, property], { guild_id });
    expect(output.options.map(({ label }) => label)).toEqual(expected);
    expect(asked).toEqual([`GET ${AT}/guilds/${guild_id}/${list}${list === 'members' ? '?limit=100' : ''}`]);
    expect(received.flatMap(check)).toEqual([]);
    for (const input of [{}, { guild_id: 7 }, { guild_id: '../1' }] as JsonObject[]) {
      const none = await optionsOf({ ...setting, reply }, [action, property], input);
      expect(none).toMatchObject({ output: { options: [], disabled: true }, asked: [] });
    }
  });

  it('find members by the beginning of their names', async () => {
    const reply = () => answer('GET /guilds/{guild_id}/members/search', people);
    const found = await optionsOf({ ...setting, reply }, ['get_member', 'user_id'], { guild_id }, 'an');
    expect(found.output.options).toEqual([{ label: named[0], value: '1' }]);
    expect(found.asked).toEqual([`GET ${AT}/guilds/${guild_id}/members/search?query=an&limit=100`]);
    expect(found.received.flatMap(check)).toEqual([]);
  });
});

describe('failures', () => {
  const failing = (status: number, body: JsonObject, headers: Record<string, string> = {}) =>
    run('send_message', { channel_id, content: 'Hi' }, () => json(body, status, headers));

  it.each<[JsonObject, object]>([
    [
      { code: 50_001, message: 'Missing Access' },
      { code: '50001', message: 'Missing Access' },
    ],
    [
      {
        code: 50_035,
        message: 'Invalid Form Body',
        errors: {
          embeds: { 0: { title: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] } } },
        },
      },
      { code: '50035', message: 'Invalid Form Body: embeds.0.title: This field is required' },
    ],
    [
      {
        code: 50_035,
        message: 'Invalid Form Body',
        errors: { _errors: [{ code: 'TOO_LARGE', message: 'Too large' }] },
      },
      { code: '50035', message: 'Invalid Form Body: Too large' },
    ],
    [
      { code: 50_035, message: 'Invalid Form Body', errors: {} },
      { code: '50035', message: 'Invalid Form Body' },
    ],
  ])('have the message, the field and the code: %j', async (body, error) => {
    await expect(failing(400, body)).rejects.toMatchObject({ name: 'ProviderError', status: 400, ...error });
  });

  it('of a rate limit say for how long, in decimals', async () => {
    const body = { message: 'You are being rate limited.', retry_after: 64.57, global: false };
    await expect(failing(429, body)).rejects.toMatchObject({ retryable: true, retryAfter: 64.57 });
    const headers = { 'x-ratelimit-reset-after': '1.25' };
    await expect(failing(429, { message: 'x' }, headers)).rejects.toMatchObject({ retryAfter: 1.25 });
  });

  it('of a permission are no rate limit, although they say what remains', async () => {
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1' };
    const asked: string[] = [];
    const reply = ({ url }: Recorded): Reply => {
      asked.push(url);
      return json({ code: 50_001, message: 'Missing Access' }, 403, headers);
    };
    const listed = run('list_messages', { channel_id }, reply);
    await expect(listed).rejects.toMatchObject({ status: 403, retryable: false });
    expect(asked).toHaveLength(1);
  });

  it('mean a refused token only with the status 401', () => {
    const isRefused = (status: number) => isCredentialRefused(discord, new ProviderError('No', { status }));
    expect([401, 403].map(isRefused)).toEqual([true, false]);
  });
});
