import { createHmac } from 'node:crypto';
import { type JsonObject, type JsonValue, routeKeys } from '@drawbridge/piece-kit';
import { inbound, json, proofOf, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { dropbox } from './index.js';

const SECRET = 'app-secret';
const proof = proofOf(SECRET, 0);
const credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' } as const;
const DATE = 'Sat, 31 Jan 2026 09:00:00 GMT';
const SINCE = '2026-01-31T09:00:00.000Z';

function trigger(name: string) {
  const found = dropbox.triggers?.[name];
  if (found?.kind !== 'app-webhook' || !found.poll) throw new Error(`${name} is not notified`);
  return found;
}

async function poll(name: string, reply: (request: Recorded) => Reply, cursor?: JsonValue, input: JsonObject = {}) {
  const { output, asked } = await runTrigger({ piece: dropbox, credential, reply }, input, (context) =>
    trigger(name).poll!({ ...context, cursor }),
  );
  return { ...output, asked };
}

const signed = (body: string, secret = SECRET) =>
  inbound(body, { 'x-dropbox-signature': createHmac('sha256', secret).update(body).digest('hex') });
const NOTICE = JSON.stringify({ list_folder: { accounts: ['dbid:A', 'dbid:B'] }, delta: { users: [1, 2] } });

const file = (id: string, rev: string) => ({
  ...{ '.tag': 'file', id: `id:${id}`, rev, name: `${id}.txt`, path_lower: `/${id}.txt`, path_display: `/${id}.txt` },
});
const entries = [file('a', 'r1'), { '.tag': 'folder', id: 'id:f' }, { '.tag': 'deleted', name: 'x' }, file('b', 'r2')];
const changes = ({ url, body }: Recorded): Reply => {
  if (!url.includes('list_revisions')) return json({ entries, cursor: 'c2', has_more: true }, 200, { date: DATE });
  const at = body.includes('id:a') ? '2026-01-31T08:59:30Z' : '2026-01-30T09:00:00Z';
  return json({
    entries: [
      { rev: 'r9', server_modified: SINCE },
      { rev: 'r1', server_modified: at },
    ],
  });
};

describe.each(['file_changed', 'new_file'])('%s', (name) => {
  it('gets the accounts of a signed request', () => {
    expect(trigger(name).verify(signed(NOTICE), proof)).toBe(true);
    expect(trigger(name).verify(signed(NOTICE, 'other'), proof)).toBe(false);
    expect(trigger(name).verify(inbound(NOTICE), proof)).toBe(false);
    expect(routeKeys(trigger(name), signed(NOTICE))).toEqual(['dbid:A', 'dbid:B']);
    expect(routeKeys(trigger(name), signed('{}'))).toEqual([]);
  });

  it('belongs to the account of its connection', async () => {
    const reply = () => json({ account_id: 'dbid:A' });
    const { output, asked } = await runTrigger({ piece: dropbox, credential, reply }, {}, (context) =>
      trigger(name).subscribe(context),
    );
    expect([output, asked]).toEqual(['dbid:A', ['POST /2/users/get_current_account']]);
  });

  it('answers the challenge of Dropbox', () => {
    const challenge = { ...inbound(''), method: 'GET', url: '/api/v1/webhooks/dropbox/app?challenge=a%3Cb' };
    expect(trigger(name).handshake!(challenge, proof)).toMatchObject({
      ...{ body: 'a<b', headers: { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' } },
    });
    expect(trigger(name).handshake!({ ...challenge, method: 'POST' }, proof)).toBeUndefined();
  });

  it('starts at the present of a folder', async () => {
    const reply = () => json({ cursor: 'c1' }, 200, { date: DATE });
    const { events, cursor, asked } = await poll(name, reply, undefined, { folder: '/r' });
    expect([events, cursor]).toEqual([[], { cursor: 'c1', since: SINCE }]);
    expect(asked).toEqual(['POST /2/files/list_folder/get_latest_cursor {"path":"/r","recursive":true,"limit":100}']);
  });

  it('starts again after Dropbox reset the cursor', async () => {
    const reply = ({ url }: Recorded): Reply =>
      url.includes('continue')
        ? json({ error_summary: 'reset/..', error: { '.tag': 'reset' } }, 409)
        : json({ cursor: 'c3' }, 200, { date: DATE });
    const { events, cursor } = await poll(name, reply, { cursor: 'c1', since: SINCE });
    expect([events, cursor]).toEqual([[], { cursor: 'c3', since: SINCE }]);
  });
});

it('file_changed returns each revision of a file', async () => {
  const { events, cursor, isMore, asked } = await poll('file_changed', changes, { cursor: 'c1', since: SINCE });
  expect(events.map(({ id }) => id)).toEqual(['id:a r1 /a.txt', 'id:b r2 /b.txt']);
  expect(events[0]?.data).toEqual({ type: 'file', id: 'id:a', rev: 'r1', name: 'a.txt', path: '/a.txt' });
  expect([cursor, isMore]).toEqual([{ cursor: 'c2', since: SINCE }, true]);
  expect(asked).toEqual(['POST /2/files/list_folder/continue {"cursor":"c1"}']);
});

it('new_file returns the files with a first revision that is newer than the last poll', async () => {
  const { events, asked } = await poll('new_file', changes, { cursor: 'c1', since: SINCE });
  expect(events.map(({ id }) => id)).toEqual(['id:a']);
  expect(asked[1]).toBe('POST /2/files/list_revisions {"path":"id:a","mode":"id","limit":100}');
});

it.each(['file_changed', 'new_file'])('%s moves its time on only when all changes are read', async (name) => {
  const since = '2026-01-31T08:00:00.000Z';
  const first = await poll(name, changes, { cursor: 'c1', since });
  expect([first.cursor, first.isMore]).toEqual([{ cursor: 'c2', since }, true]);
  const last = () => json({ entries: [], cursor: 'c3', has_more: false }, 200, { date: DATE });
  const second = await poll(name, last, first.cursor);
  expect([second.cursor, second.isMore]).toEqual([{ cursor: 'c3', since: SINCE }, undefined]);
});

it('new_file finds a new file on a later page of the changes', async () => {
  const later = (request: Recorded): Reply =>
    request.url.includes('list_revisions')
      ? json({ entries: [{ rev: 'r1', server_modified: '2026-01-31T08:30:00Z' }] })
      : changes(request);
  const first = await poll('new_file', later, { cursor: 'c1', since: '2026-01-31T08:00:00.000Z' });
  const second = await poll('new_file', later, first.cursor);
  expect(second.events.map(({ id }) => id)).toEqual(['id:a', 'id:b']);
});

it('new_file skips a file that was deleted since', async () => {
  const reply = (request: Recorded): Reply =>
    request.url.includes('list_revisions')
      ? json({ error_summary: 'path/not_found/', error: { '.tag': 'path' } }, 409)
      : changes(request);
  const { events } = await poll('new_file', reply, { cursor: 'c1', since: SINCE });
  expect(events).toEqual([]);
});
