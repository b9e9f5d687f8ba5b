import { type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { toGraphNotation } from '../../testing/graph-notation.js';
import { readDescription } from '../../testing/read-description.js';
import { json, runTrigger } from '../../testing/run-piece.js';
import type { Recorded, Reply } from '../../testing/third-party.js';
import { by } from '../../testing/witness.js';
import { microsoftOnedrive } from './index.js';
import { fileChanged } from './triggers/file-changed.js';
import { newFile } from './triggers/new-file.js';

const described = by(readDescription('microsoft-onedrive'));
const check = (request: Recorded): string[] => described(toGraphNotation(request));
const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;

const DELTA = '/v1.0/me/drive/root/delta';
const at = (link: string): string => `https://graph.microsoft.com/v1.0/drives/b!t18/root/delta?token=${link}`;
const last = (token: string, ...value: object[]): Reply => json({ value, '@odata.deltaLink': at(token) });
const page = (token: string, ...value: object[]): Reply => json({ value, '@odata.nextLink': at(token) });
const gone = json({ error: { code: 'resyncRequired', message: 'Resync' } }, 410, { location: at('all') });

const NOW = Date.UTC(2026, 0, 31, 12);
const clock = Date.now;
beforeEach(() => void (Date.now = () => NOW));
afterEach(() => void (Date.now = clock));

const file = (id: string, created = '2026-01-31T12:00:00Z', more: object = {}) => ({
  ...{ id, name: `${id}.txt`, file: { mimeType: 'text/plain' }, eTag: '"1"', createdDateTime: created },
  ...{ parentReference: { id: 'folder', driveId: 'b!t18' }, '@microsoft.graph.downloadUrl': 'https://x/secret' },
  ...more,
});

type Answers = Record<string, Reply>;

/** Polls a drive that responds to each token with a page. */
async function poll(trigger: typeof newFile, answers: Answers, cursor?: JsonValue, input: JsonObject = {}) {
  const reply = ({ url }: Recorded): Reply =>
    answers[new URL(url, 'https://graph.microsoft.com').searchParams.get('token') ?? ''] ?? json({}, 404);
  const { output, asked, received } = await runTrigger(
    { piece: microsoftOnedrive, credential, reply },
    input,
    (context) => trigger.poll({ ...context, cursor }),
  );
  return { ...output, ids: output.events.map(({ id }) => id), asked, problems: received.flatMap(check) };
}

const cursor = (token: string, since = NOW) => ({ link: `/v1.0/drives/b!t18/root/delta?token=${token}`, since });

describe.each([newFile, fileChanged])('a poll', (trigger) => {
  it('starts with the newest state and delivers nothing', async () => {
    const first = await poll(trigger, { latest: last('1') });
    expect(first).toMatchObject({ events: [], cursor: cursor('1'), problems: [] });
    expect(first.asked).toEqual([
      `GET ${DELTA}?token=latest&%24select=id%2Cname%2Csize%2CwebUrl%2Cfile%2Cfolder%2CcreatedDateTime%2ClastModifiedDateTime` +
        '%2ClastModifiedBy%2CparentReference%2CeTag%2Cdeleted&%24top=200',
    ]);
  });

  it('starts in the drive that is wanted', async () => {
    const { asked } = await poll(trigger, { latest: last('1') }, undefined, { driveId: 'b!t18' });
    expect(asked[0]).toContain('GET /v1.0/drives/b!t18/root/delta?token=latest&');
  });

  it('delivers what changed, and the same if it is repeated', async () => {
    const answers = { 1: page('2', file('a'), file('b')), 2: last('3', file('c')) };
    const next = await poll(trigger, answers, cursor('1'));
    expect(next.events.map(({ data }) => data['id'])).toEqual(['a', 'b', 'c']);
    expect(next).toMatchObject({ cursor: cursor('3'), problems: [] });
    expect(next.asked).toEqual([
      `GET /v1.0/drives/b!t18/root/delta?token=1`,
      `GET /v1.0/drives/b!t18/root/delta?token=2`,
    ]);
    expect((await poll(trigger, answers, cursor('1'))).events).toEqual(next.events);
    expect((await poll(trigger, { 3: last('4') }, next.cursor)).events).toEqual([]);
  });

  it('delivers an item once that is listed twice, with its last state', async () => {
    const answers = { 1: page('2', file('a'), file('b')), 2: last('3', file('a', undefined, { name: 'new.txt' })) };
    const { events } = await poll(trigger, answers, cursor('1'));
    expect(events.map(({ data }) => data['name'])).toEqual(['b.txt', 'new.txt']);
  });

  it('skips folders and deleted files', async () => {
    const folder = { ...file('f'), file: undefined, folder: { childCount: 0 } };
    const deleted = file('d', undefined, { deleted: { state: 'deleted' } });
    expect((await poll(trigger, { 1: last('2', folder, deleted, file('a')) }, cursor('1'))).events).toHaveLength(1);
  });

  it('delivers only files of a folder if one is wanted', async () => {
    const elsewhere = file('b', undefined, { parentReference: { id: 'other' } });
    const { events } = await poll(trigger, { 1: last('2', file('a'), elsewhere) }, cursor('1'), { folderId: 'folder' });
    expect(events.map(({ data }) => data['id'])).toEqual(['a']);
  });

  it('leaves out the URL that needs no credential', async () => {
    const { events } = await poll(trigger, { 1: last('2', file('a')) }, cursor('1'));
    expect(events[0]?.data).toEqual({
      ...{ id: 'a', name: 'a.txt', type: 'file', mimeType: 'text/plain', createdDateTime: '2026-01-31T12:00:00Z' },
      ...{ folderId: 'folder', driveId: 'b!t18' },
    });
  });

  it('starts again with the newest state if Microsoft forgot the changes', async () => {
    const again = await poll(trigger, { 1: gone, latest: last('9') }, cursor('1'));
    expect(again).toMatchObject({ events: [], cursor: cursor('9') });
  });

  it('reads many changes in several polls', async () => {
    const many = (start: number) => Array.from({ length: 200 }, (_, index) => file(`${start + index}`));
    const answers: Answers = { 20: last('21', file('z')) };
    for (let index = 0; index < 20; index++) answers[index] = page(`${index + 1}`, ...many(index * 200));
    const first = await poll(trigger, answers, cursor('0', 1));
    const second = await poll(trigger, answers, first.cursor);
    expect([first.events.length, second.events.length]).toEqual([3_000, 1_001]);
    expect([first.cursor, second.cursor]).toEqual([cursor('15', 1), cursor('21')]);
  });

  it.each([
    ['no link', { value: [] }],
    ['an invalid link', { value: [], '@odata.deltaLink': 'delta' }],
  ])('fails if Microsoft returns %s', async (_, body) => {
    await expect(poll(trigger, { latest: json(body) })).rejects.toThrow('no link for further changes');
  });

  it('sends nothing to the origin of a foreign link', async () => {
    const foreign = json({
      value: [],
      '@odata.deltaLink': 'https://evil.example/v1.0/drives/b!t18/root/delta?token=2',
    });
    expect(await poll(trigger, { 1: foreign }, cursor('1'))).toMatchObject({ cursor: cursor('2') });
  });

  it("fails with Microsoft's message", async () => {
    const refusal = json({ error: { code: 'accessDenied', message: 'Access denied' } }, 403);
    await expect(poll(trigger, { 1: refusal }, cursor('1'))).rejects.toMatchObject({
      status: 403,
      code: 'accessDenied',
    });
  });
});

it('delivers a new file once, under its own id, and no old file that changed', async () => {
  const old = file('old', '2026-01-31T10:59:59Z');
  const late = file('late', '2026-01-31T11:00:00Z');
  const { ids } = await poll(newFile, { 1: last('2', old, late, file('new'), file('bad', 'x')) }, cursor('1'));
  expect(ids).toEqual(['late', 'new']);
});

it('delivers each version of a changed file', async () => {
  const second = file('a', '2020-01-01T00:00:00Z', { eTag: '"2"' });
  const plain = file('b', undefined, { eTag: undefined, lastModifiedDateTime: '2026-01-31T12:00:00Z' });
  expect((await poll(fileChanged, { 1: last('2', file('a')) }, cursor('1'))).ids).toEqual(['a "1"']);
  expect((await poll(fileChanged, { 1: last('2', second, plain) }, cursor('1'))).ids).toEqual([
    'a "2"',
    'b 2026-01-31T12:00:00Z',
  ]);
});
