import type { JsonObject, JsonValue, PollingTrigger } from '@drawbridge/piece-kit';
import { readDescription } from '../../testing/read-description.js';
import { json, runTrigger } from '../../testing/run-piece.js';
import { asGmail, base64url, message, requireKnown } from '../../testing/vendors/gmail.js';
import { by } from '../../testing/witness.js';
import { gmail } from './index.js';

const check = by(readDescription('gmail'));
const credential = { type: 'OAUTH2', accessToken: 'ya29.canary', tokenType: 'Bearer' } as const;

/** Returns a record of the history: messages that arrived, and messages to which the label Label_1 was added. */
const record = (id: number, added: string[], labeled: string[] = [], labelIds = ['INBOX']): JsonObject => ({
  id: String(id),
  messagesAdded: added.map((one) => ({ message: { id: one, threadId: 't1', labelIds } })),
  labelsAdded: labeled.map((one) => ({ message: { id: one, threadId: 't1' }, labelIds: ['Label_1'] })),
});

interface Mailbox {
  records?: JsonObject[];
  /** Records of one page. */
  size?: number;
  isExpired?: boolean;
  missing?: string[];
  messages?: Record<string, JsonObject>;
}

/** Polls a mailbox with a newest record that has the id 900. */
async function poll(name: string, mailbox: Mailbox, cursor?: JsonValue, input: JsonObject = {}) {
  const { records = [], size = 500, isExpired, missing = [], messages = {} } = mailbox;
  const reply: ReturnType<typeof asGmail> = (request) => {
    const { pathname, searchParams } = new URL(request.url, 'http://google');
    const id = pathname.split('/').at(-1) ?? '';
    if (missing.includes(id) || (id === 'history' && isExpired))
      return json({ error: { code: 404, status: 'NOT_FOUND' } }, 404);
    if (id !== 'history')
      return asGmail({
        'GET profile': { historyId: '900' },
        ...(messages[id] && { [`GET messages/${id}`]: messages[id] }),
      })(request);
    const later = records.filter((one) => Number(one['id']) > Number(searchParams.get('startHistoryId')));
    const from = Number(searchParams.get('pageToken') ?? 0);
    const body = {
      history: later.slice(from, from + size),
      historyId: '900',
      ...(from + size < later.length && { nextPageToken: String(from + size) }),
    };
    requireKnown(body);
    return json(body);
  };
  const trigger = gmail.triggers?.[name] as PollingTrigger;
  const { output, asked, received } = await runTrigger({ piece: gmail, credential, reply }, input, (context) =>
    trigger.poll({ ...context, cursor }),
  );
  expect(received.flatMap(check)).toEqual([]);
  return { ...output, asked, ids: output.events.map(({ id }) => id) };
}

const at = '/gmail/v1/users/me';
const start = { historyId: '100', done: [] };

it('starts at the present and reports nothing', async () => {
  const { events, cursor, asked } = await poll('new_email', { records: [record(101, ['m1'])] });
  expect({ events, cursor, asked }).toEqual({
    events: [],
    cursor: { historyId: '900', done: [] },
    asked: [`GET ${at}/profile`],
  });
});

it('reports each email once, oldest first, with its text', async () => {
  const mailbox = { records: [record(101, ['m1']), record(102, ['m2', 'm3'])] };
  const first = await poll('new_email', mailbox, start);
  expect(first.asked[0]).toBe(
    `GET ${at}/history?startHistoryId=100&historyTypes=messageAdded&labelId=INBOX&maxResults=500`,
  );
  expect(first.ids).toEqual(['m1', 'm2', 'm3']);
  expect(first.events[0]?.data).toMatchObject({
    id: 'm1',
    text: 'Hallö',
    html: '<b>Hallö</b>',
    attachments: [{ id: '1' }, { id: '2' }],
  });
  expect(await poll('new_email', mailbox, start)).toEqual(first); // Repeats the same poll, as after a crash.
  expect(first.cursor).toEqual({ historyId: '900', done: [] });
  expect((await poll('new_email', mailbox, first.cursor)).events).toEqual([]);
});

it('reads further pages of the history', async () => {
  const records = [1, 2, 3, 4, 5].map((number) => record(100 + number, [`m${number}`]));
  const { ids, asked } = await poll('new_email', { records, size: 2 }, start, { label: 'Label_1' });
  expect(ids).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
  expect(asked.filter((line) => line.includes('/history'))).toEqual(
    ['', '&pageToken=2', '&pageToken=4'].map(
      (page) => `GET ${at}/history?startHistoryId=100&historyTypes=messageAdded&labelId=Label_1&maxResults=500${page}`,
    ),
  );
});

it('starts again at the present if Gmail no longer has the history', async () => {
  const expired = await poll('new_email', { isExpired: true, records: [record(101, ['m1'])] }, start);
  expect(expired).toMatchObject({ events: [], cursor: { historyId: '900', done: [] } });
});

it('leaves out drafts, and messages that were deleted meanwhile', async () => {
  const records = [record(101, ['m1'], [], ['DRAFT']), record(102, ['m2', 'm3'])];
  const { ids, cursor } = await poll('new_email', { records, missing: ['m2'] }, start);
  expect([ids, cursor]).toEqual([['m3'], { historyId: '900', done: [] }]);
  expect((await poll('new_email', { records }, start, { label: 'DRAFT' })).ids).toContain('m1');
});

it('continues in the middle of a record after 50 messages', async () => {
  const names = (from: number, count: number) => Array.from({ length: count }, (_, index) => `m${from + index}`);
  const mailbox = { records: [record(101, names(0, 30)), record(102, names(30, 80)), record(103, ['m200'])] };
  const found: string[] = [];
  let cursor: JsonValue = start;
  for (const count of [50, 50, 11]) {
    const polled: Awaited<ReturnType<typeof poll>> = await poll('new_email', mailbox, cursor);
    expect(polled.ids).toHaveLength(count);
    found.push(...polled.ids);
    cursor = polled.cursor;
  }
  expect(found).toEqual([...names(0, 110), 'm200']);
  expect(cursor).toEqual({ historyId: '900', done: [] });
});

it('reports large emails in several polls', async () => {
  const payload = { mimeType: 'text/plain', body: { data: base64url('ä'.repeat(200_001)) } };
  const ids = Array.from({ length: 16 }, (_, index) => `m${index}`);
  const messages = Object.fromEntries(ids.map((id) => [id, message(id, { payload })]));
  const mailbox = { records: ids.map((id, index) => record(101 + index, [id])), messages };
  const first = await poll('new_email', mailbox, start);
  const second = await poll('new_email', mailbox, first.cursor);
  expect(first.ids).toHaveLength(10);
  expect(first.events[0]?.data).toMatchObject({ text: 'ä'.repeat(200_000), isCut: true });
  expect([...first.ids, ...second.ids]).toEqual(ids);
});

it('reports a label each time that it is added, by a user or on arrival', async () => {
  const mailbox = { records: [record(101, ['m1'], ['m1']), record(102, [], ['m2']), record(103, [], ['m2'])] };
  const { ids, asked } = await poll('new_labeled_email', mailbox, start, { label: 'Label_1' });
  expect(asked[0]).toBe(
    `GET ${at}/history?startHistoryId=100&historyTypes=messageAdded&historyTypes=labelAdded&labelId=Label_1&maxResults=500`,
  );
  expect(ids).toEqual(['m1/101', 'm2/102', 'm2/103']);
});

it('does not report a message with the label that gets another one', async () => {
  const other = { id: '101', labelsAdded: [{ message: { id: 'm1' }, labelIds: ['STARRED'] }] };
  expect((await poll('new_labeled_email', { records: [other] }, start, { label: 'Label_1' })).events).toEqual([]);
});

it('reports each attachment of an email', async () => {
  const { events } = await poll('new_attachment', { records: [record(101, ['m1'])] }, start);
  expect(events).toEqual([
    {
      id: 'm1/1',
      data: {
        ...{ messageId: 'm1', threadId: 't1', from: { name: 'Doe, Ann', address: 'ann@acme.example' } },
        to: [
          { name: '', address: 'bo@acme.example' },
          { name: 'Cy', address: 'cy@acme.example' },
        ],
        ...{ subject: 'Grüße', date: '2026-01-31T09:00:00.000Z' },
        attachment: { id: '1', filename: 'offer.pdf', mimeType: 'application/pdf', size: 3 },
      },
    },
    expect.objectContaining({ id: 'm1/2' }),
  ]);
});

it('has samples with the keys of its events', async () => {
  for (const name of Object.keys(gmail.triggers ?? {})) {
    const { events } = await poll(name, { records: [record(101, ['m1'], ['m1'])] }, start, { label: 'Label_1' });
    expect(Object.keys(events[0]?.data ?? {}).sort()).toEqual(Object.keys(gmail.triggers?.[name]?.sample ?? {}).sort());
  }
});
