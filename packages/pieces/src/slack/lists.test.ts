import type { JsonObject } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { asSlack } from '../../testing/vendors/slack.js';
import { by } from '../../testing/witness.js';
import { slack } from './index.js';

const check = by(readDescription('slack'));
const setting = { piece: slack, credential: { type: 'OAUTH2', accessToken: 'xoxb-canary', tokenType: 'bot' } } as const;
const channel = 'C1';

const times = (count: number, toItem: (index: number) => JsonObject): JsonObject[] =>
  Array.from({ length: count }, (_, index) => toItem(index));

describe('lists', () => {
  it('collect messages over several pages up to the limit', async () => {
    const reply = asSlack({ 'conversations.history': ['messages', times(500, (index) => ({ ts: `${index}.0` }))] });
    const { output, received } = await runPiece({ ...setting, reply }, 'list_messages', { channel, limit: 300 });
    expect(output.items).toHaveLength(300);
    expect(received).toHaveLength(2);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('collect search results by page number', async () => {
    const reply = ({ url }: Recorded): Reply => {
      const page = Number(new URL(url, 'http://slack').searchParams.get('page') ?? 1);
      return json({ ok: true, messages: { matches: [{ iid: String(page) }], paging: { page, pages: 3 } } });
    };
    const { output, asked } = await runPiece({ ...setting, reply }, 'search', { query: 'tea' });
    expect(output).toEqual({ items: [{ iid: '1' }, { iid: '2' }, { iid: '3' }] });
    expect(asked.at(-1)).toBe('GET /api/search.messages?query=tea&count=20&page=3');
  });
});

describe('options', () => {
  const people: JsonObject[] = [
    { id: 'U1', name: 'ann', real_name: 'Ann Arbor' },
    { id: 'U2', name: 'gone', deleted: true },
    { id: 'B1', name: 'bot', is_bot: true },
    { id: 'USLACKBOT', name: 'slackbot' },
    { id: 'U3', name: 'bo' },
  ];
  const reply = asSlack({
    'conversations.list': ['channels', times(450, (index) => ({ id: `C${index}`, name: `room-${index}` }))],
    'users.list': ['members', people],
  });

  it('list all channels over several pages', async () => {
    const { output, received } = await optionsOf({ ...setting, reply }, ['send_message', 'channel']);
    expect(output.options).toHaveLength(450);
    expect(output.options[0]).toEqual({ label: '#room-0', value: 'C0' });
    expect(received).toHaveLength(3);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('list private channels, unless the connection lacks the scope', async () => {
    const both = [
      { id: 'C1', name: 'news', is_private: false },
      { id: 'C2', name: 'board', is_private: true },
    ];
    const all = asSlack({ 'conversations.list': ['channels', both] });
    const { output, asked } = await optionsOf({ ...setting, reply: all }, ['send_message', 'channel']);
    expect(output.options.map(({ label }) => label)).toEqual(['#news', '#board (private)']);
    const query = (types: string) =>
      `GET /api/conversations.list?types=${encodeURIComponent(types)}&exclude_archived=true&limit=200`;
    expect(asked).toEqual([query('public_channel,private_channel')]);

    const old = ({ url }: Recorded): Reply =>
      url.includes('private_channel')
        ? json({ ok: false, error: 'missing_scope', needed: 'groups:read' })
        : json({ ok: true, channels: both.slice(0, 1) });
    const shown = await optionsOf({ ...setting, reply: old }, ['send_message', 'channel']);
    expect(shown.output.options).toEqual([{ label: '#news', value: 'C1' }]);
    expect(shown.asked).toEqual([query('public_channel,private_channel'), query('public_channel')]);
    expect(shown.received.flatMap(check)).toEqual([]);
  });

  it('find channels and users by name, without bots and deactivated users', async () => {
    const { output } = await optionsOf({ ...setting, reply }, ['send_message', 'channel'], {}, 'room-449');
    expect(output.options).toEqual([{ label: '#room-449', value: 'C449' }]);
    const all = await optionsOf({ ...setting, reply }, ['create_channel', 'users']);
    expect(all.output.options).toEqual([
      { label: 'Ann Arbor (@ann)', value: 'U1' },
      { label: 'bo (@bo)', value: 'U3' },
    ]);
    expect(
      (await optionsOf({ ...setting, reply }, ['create_channel', 'users'], {}, 'arbor')).output.options,
    ).toHaveLength(1);
  });
});

describe('a failure with status 200', () => {
  const send = (body: JsonObject) =>
    runPiece({ ...setting, reply: () => json(body) }, 'send_message', { channel, text: 'Hi' });

  it.each<[JsonObject, object]>([
    [{ error: 'channel_not_found' }, { message: 'channel_not_found', code: 'channel_not_found', retryable: false }],
    [
      { error: 'missing_scope', needed: 'groups:write' },
      { message: 'missing_scope: needs the scope groups:write', code: 'missing_scope' },
    ],
    [
      { error: 'invalid_blocks', response_metadata: { messages: ['[ERROR] no more than 50 items'] } },
      { message: 'invalid_blocks: [ERROR] no more than 50 items' },
    ],
    [{ error: 'internal_error' }, { code: 'internal_error', retryable: true }],
    [{}, { code: 'unknown_error' }],
  ])('is detected: %j', async (body, error) => {
    await expect(send({ ok: false, ...body })).rejects.toMatchObject({ name: 'ProviderError', status: 200, ...error });
  });

  it('also fails the options of a form', async () => {
    const reply = () => json({ ok: false, error: 'missing_scope', needed: 'channels:read' });
    await expect(optionsOf({ ...setting, reply }, ['send_message', 'channel'])).rejects.toMatchObject({
      code: 'missing_scope',
    });
  });
});

it("returns Slack's Retry-After", async () => {
  const reply = () => json({ ok: false, error: 'ratelimited' }, 429, { 'retry-after': '31' });
  const limited = runPiece({ ...setting, reply }, 'send_message', { channel, text: 'Hi' });
  await expect(limited).rejects.toMatchObject({ status: 429, code: 'ratelimited', retryable: true, retryAfter: 31 });
});
