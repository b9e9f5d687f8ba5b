import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, pollingOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { googleDrive } from './index.js';

const description = readDescription('google-drive');
const check = by(description);
const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer' } as const;
const DATE = 'Sat, 31 Jan 2026 09:00:00 GMT';

async function poll(name: string, reply: (request: Recorded) => Reply, cursor?: JsonValue, input: JsonObject = {}) {
  const { output, asked, received } = await runTrigger({ piece: googleDrive, credential, reply }, input, (context) =>
    pollingOf(googleDrive, name).poll({ ...context, cursor }),
  );
  expect(received.flatMap(check)).toEqual([]);
  return { ...output, asked };
}

const start = () => json({ startPageToken: '10' }, 200, { date: DATE });
const change = (fileId: string, time: string, createdTime: string) => ({
  ...{
    fileId,
    time,
    file: { id: fileId, name: `${fileId}.txt`, createdTime, owners: [{ emailAddress: 'ada@x.example' }] },
  },
});
const [OLD, NEW] = ['2026-01-01T00:00:00.000Z', '2026-01-31T09:00:05.000Z'];
const pages = ({ url }: Recorded): Reply =>
  url.includes('pageToken=11')
    ? json({ changes: [change('c', '2026-01-31T09:01:00Z', OLD)], newStartPageToken: '12' })
    : json({ changes: [change('a', NEW, NEW), change('b', NEW, OLD)], nextPageToken: '11' });

it.each(['file_created', 'file_changed'])('%s starts at the present, by the clock of Google', async (name) => {
  const { events, cursor, asked } = await poll(name, start);
  expect(events).toEqual([]);
  expect(cursor).toEqual({ pageToken: '10', since: '2026-01-31T09:00:00.000Z' });
  expect(asked).toEqual(['GET /drive/v3/changes/startPageToken?supportsAllDrives=true']);
});

it.each([
  ['file_created', ['a']],
  ['file_changed', [`a ${NEW}`, `b ${NEW}`, 'c 2026-01-31T09:01:00Z']],
])('%s reads all pages of changes', async (name, expected) => {
  const { cursor } = await poll(name, start);
  const next = await poll(name, pages, cursor);
  expect(next.events.map(({ id }) => id)).toEqual(expected);
  expect(next.events[0]?.data).toEqual({
    ...{ id: 'a', name: 'a.txt', createdTime: NEW, owners: ['ada@x.example'], changedAt: NEW },
  });
  expect(next.cursor).toEqual({ pageToken: '12', since: '2026-01-31T09:00:00.000Z' });
  expect(next.asked[0]).toMatch(
    /^GET \/drive\/v3\/changes\?pageToken=10&pageSize=500&includeRemoved=false&includeItemsFromAllDrives=true&supportsAllDrives=true&fields=nextPageToken%2CnewStartPageToken%2Cchanges%28fileId%2Ctime%2Cfile%28id%2Cname%2C/,
  );
});

it('continues after four pages in the next poll', async () => {
  let page = 10;
  const endless = () => json({ changes: [change(`f${page}`, NEW, NEW)], nextPageToken: String(++page) });
  const { events, cursor, isMore } = await poll('file_changed', endless, { pageToken: '10', since: OLD });
  expect([events.length, isMore]).toEqual([4, true]);
  expect(cursor).toEqual({ pageToken: '14', since: OLD });
});

it('refuses a response without a token', async () => {
  await expect(poll('file_created', () => json({}))).rejects.toThrow('Google returned no token for the changes');
});

it('does not take a late change of a file for its creation', async () => {
  const since = '2026-01-01T00:00:00.000Z';
  const at = (time: string) => () => json({ changes: [change('a', time, since)], newStartPageToken: '11' });
  const cursor = { pageToken: '10', since };
  expect((await poll('file_created', at('2026-01-30T00:00:00.000Z'), cursor)).events).toHaveLength(1);
  expect((await poll('file_created', at('2026-02-07T00:00:00.000Z'), cursor)).events).toEqual([]);
});

it('omits changes without a file', async () => {
  const changes = [{ fileId: 'a', time: NEW }, change('b', NEW, NEW)];
  const { events } = await poll('file_changed', () => json({ changes, newStartPageToken: '11' }), {
    ...{ pageToken: '10', since: OLD },
  });
  expect(events.map(({ id }) => id)).toEqual([`b ${NEW}`]);
});

describe('new_file_in_folder', () => {
  const input = { folder: 'p1' };
  const at = (second: number) => `2026-01-31T09:00:${String(second).padStart(2, '0')}.000Z`;
  const file = (id: string, second: number) => ({ id, createdTime: at(second) });
  const name = 'new_file_in_folder';

  it('finds files after the newest known one, and others of the same time', async () => {
    const first = await poll(name, () => json({ files: [file('b', 2), file('a', 1)] }), undefined, input);
    expect(first.events).toEqual([]);
    expect(first.asked[0]).toContain('?q=%27p1%27+in+parents+and+trashed+%3D+false&');
    expect(first.asked[0]).toContain('&includeItemsFromAllDrives=true&orderBy=createdTime+desc&');
    const files = [file('b', 2), file('c', 2), file('d', 3)];
    const { events, asked } = await poll(name, () => json({ files }), first.cursor, input);
    expect(events.map(({ id }) => id)).toEqual(['c', 'd']);
    expect(asked[0]).toContain('in+parents+and+createdTime+%3E%3D+%272026-01-31T09%3A00%3A02.000Z%27+and+trashed');
    expect(asked[0]).toContain('&orderBy=createdTime&pageSize=100&fields=nextPageToken%2Cfiles');
  });

  it('finds all files of a large upload', async () => {
    const files = Array.from({ length: 1_250 }, (_, n) => file(`f${n}`, 2 + Math.floor(n / 50)));
    const list = ({ url }: Recorded): Reply => {
      const { searchParams } = new URL(url, 'https://x.example');
      const from = /createdTime >= '([^']+)'/.exec(searchParams.get('q') ?? '')?.[1] ?? '';
      const found = files.filter(({ createdTime }) => createdTime >= from);
      if (searchParams.get('orderBy') !== 'createdTime') found.reverse();
      const start = Number(searchParams.get('pageToken') ?? 0);
      const nextPageToken = start + 100 < found.length ? String(start + 100) : undefined;
      return json({ files: found.slice(start, start + 100), nextPageToken });
    };
    const first = await poll(name, () => json({ files: [file('a', 1)] }), undefined, input);
    const one = await poll(name, list, first.cursor, input);
    const other = await poll(name, list, one.cursor, input);
    expect([one.events.length, one.isMore]).toEqual([1_000, true]);
    expect([...one.events, ...other.events].map(({ id }) => id)).toEqual(files.map(({ id }) => id));
  });
});

it('reads only fields that the description has', () => {
  const body = { nextPageToken: 'a', newStartPageToken: 'b', changes: [change('a', NEW, NEW)] };
  const { changes } = body;
  const read = changes.map(({ fileId, time, file: { createdTime } }) => ({ fileId, time, file: { createdTime } }));
  expect(checkResponse(description, 'GET /changes', { ...body, changes: read })).toEqual([]);
  expect(checkResponse(description, 'GET /changes/startPageToken', { startPageToken: 'a' })).toEqual([]);
});
