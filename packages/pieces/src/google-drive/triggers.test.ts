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
    /^GET \/drive\/v3\/changes\?pageToken=10&pageSize=500&includeRemoved=false&includeItemsFromAllDrives=true&supportsAllDrives=true&fields=/,
  );
});

it('continues after four pages in the next poll', async () => {
  let page = 10;
  const endless = () => json({ changes: [change(`f${page}`, NEW, NEW)], nextPageToken: String(++page) });
  const { events, cursor } = await poll('file_changed', endless, { pageToken: '10', since: OLD });
  expect(events).toHaveLength(4);
  expect(cursor).toEqual({ pageToken: '14', since: OLD });
});

it('refuses a response without a token', async () => {
  await expect(poll('file_created', () => json({}))).rejects.toThrow('Google returned no token for the changes');
});

it('new_file_in_folder finds files after the newest known one', async () => {
  const files =
    (...names: string[]) =>
    () =>
      json({ files: names.map((id, at) => ({ id, createdTime: `2026-01-31T09:00:0${names.length - at}.000Z` })) });
  const first = await poll('new_file_in_folder', files('b', 'a'), undefined, { folder: 'p1' });
  expect(first.events).toEqual([]);
  const { events, asked } = await poll('new_file_in_folder', files('d', 'c', 'b', 'a').bind(undefined), first.cursor, {
    folder: 'p1',
  });
  expect(events.map(({ id }) => id)).toEqual(['c', 'd']);
  expect(asked[0]).toContain('q=%27p1%27+in+parents+and+trashed+%3D+false');
});

it('reads only fields that the description has', () => {
  const body = { nextPageToken: 'a', newStartPageToken: 'b', changes: [change('a', NEW, NEW)] };
  const { changes } = body;
  const read = changes.map(({ fileId, time, file: { createdTime } }) => ({ fileId, time, file: { createdTime } }));
  expect(checkResponse(description, 'GET /changes', { ...body, changes: read })).toEqual([]);
  expect(checkResponse(description, 'GET /changes/startPageToken', { startPageToken: 'a' })).toEqual([]);
});
