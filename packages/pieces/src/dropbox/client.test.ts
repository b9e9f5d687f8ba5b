import { type Credential, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { Dropbox } from 'dropbox';
import { json, runPiece, runTrigger } from '../../testing/run-piece.js';
import { type Recorded, type Reply } from '../../testing/third-party.js';
import { dropbox } from './index.js';

const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' };
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const NAME = '/Größe \u{1f375}.txt';
const expires = '2026-01-31T08:00:00Z';
const renamed = { from_path: '/a', to_path: '/b', autorename: true };

type Call = (client: Dropbox) => Promise<unknown>;

/** Actions with all their properties, and the call of the official client that sends the same request. */
const calls: [action: string, input: JsonObject, call: Call][] = [
  [
    'upload',
    { file, path: NAME, mode: 'overwrite', autorename: true, mute: true },
    (client) =>
      client.filesUpload({
        ...{ path: NAME, mode: { '.tag': 'overwrite' }, autorename: true, mute: true, contents: 'hi' },
      }),
  ],
  ['download', { file: NAME }, (client) => client.filesDownload({ path: NAME })],
  [
    'list_folder',
    { folder: '/r', recursive: true, limit: 5 },
    (client) => client.filesListFolder({ path: '/r', recursive: true, limit: 5 }),
  ],
  [
    'search',
    { query: 'tea', folder: '/r', names_only: true, extensions: ['pdf'], order: 'last_modified_time', limit: 5 },
    (client) =>
      client.filesSearchV2({
        query: 'tea',
        options: {
          ...{ path: '/r', max_results: 5, filename_only: true, file_extensions: ['pdf'] },
          order_by: { '.tag': 'last_modified_time' },
        },
      }),
  ],
  [
    'create_folder',
    { path: '/r', autorename: true },
    (client) => client.filesCreateFolderV2({ path: '/r', autorename: true }),
  ],
  ['move', { path: '/a', to_path: '/b', autorename: true }, (client) => client.filesMoveV2(renamed)],
  ['copy', { path: '/a', to_path: '/b', autorename: true }, (client) => client.filesCopyV2(renamed)],
  ['delete', { path: '/a' }, (client) => client.filesDeleteV2({ path: '/a' })],
  [
    'share_link',
    { path: '/a', audience: 'no_one', access: 'editor', expires },
    (client) =>
      client.sharingCreateSharedLinkWithSettings({
        path: '/a',
        settings: { audience: { '.tag': 'no_one' }, access: { '.tag': 'editor' }, expires },
      }),
  ],
  ['get_metadata', { path: '/a' }, (client) => client.filesGetMetadata({ path: '/a' })],
  ['get_temporary_link', { file: '/a' }, (client) => client.filesGetTemporaryLink({ path: '/a' })],
  [
    'list_revisions',
    { file: 'id:1', limit: 5 },
    (client) => client.filesListRevisions({ path: 'id:1', mode: { '.tag': 'id' }, limit: 5 }),
  ],
  [
    'restore',
    { path: '/a', rev: 'a1c10ce0dd78' },
    (client) => client.filesRestore({ path: '/a', rev: 'a1c10ce0dd78' }),
  ],
];

interface Sent {
  method: string;
  url: string;
  argument: unknown;
  content: string | undefined;
  authorization: string | undefined;
}

it('compares every action with the client', () => {
  expect(calls.map(([action]) => action).sort()).toEqual(Object.keys(dropbox.actions).sort());
});

it.each(calls)('sends the request of the official client: %s', async (action, input, call) => {
  const { received, urls } = await runPiece({ piece: dropbox, credential, reply: () => json({}) }, action, input);
  expect(received.map((request, index) => toSent(request, urls[index]))).toEqual(await sentBy(call));
});

it.each<[string, JsonObject, number, Call]>([
  ['list_folder', {}, 200, (client) => client.filesListFolderContinue({ cursor: 'c1' })],
  ['search', { query: 'x' }, 200, (client) => client.filesSearchContinueV2({ cursor: 'c1' })],
  ['share_link', { path: '/a' }, 409, (client) => client.sharingListSharedLinks({ path: '/a', direct_only: true })],
])('sends the second request of %s like the official client', async (action, input, status, call) => {
  let requests = 0;
  const reply = (): Reply => {
    if (++requests > 1) return json({ links: [{ url: 'https://www.dropbox.com/s/1' }], has_more: false });
    return json({ error_summary: 'shared_link_already_exists/', cursor: 'c1', has_more: true }, status);
  };
  const { received, urls } = await runPiece({ piece: dropbox, credential, reply }, action, input);
  expect(received.slice(1).map((request) => toSent(request, urls[1]))).toEqual(await sentBy(call));
});

it.each<[string, JsonValue | undefined, JsonObject, Call]>([
  [
    'its start',
    undefined,
    { cursor: 'c1' },
    (client) => client.filesListFolderGetLatestCursor({ path: '/r', recursive: true, limit: 100 }),
  ],
  [
    'the changes',
    { cursor: 'c1', since: '2026-01-31T08:00:00.000Z' },
    { entries: [], cursor: 'c2', has_more: false },
    (client) => client.filesListFolderContinue({ cursor: 'c1' }),
  ],
])('polls %s like the official client', async (_, cursor, answer, call) => {
  const setting = { piece: dropbox, credential, reply: () => json(answer) };
  const { received, urls } = await runTrigger(setting, { folder: '/r' }, async (context) => {
    const trigger = dropbox.triggers?.['file_changed'];
    return trigger?.poll?.({ ...context, cursor });
  });
  expect(received.map((request, index) => toSent(request, urls[index]))).toEqual(await sentBy(call));
});

it('asks for the account like the official client', async () => {
  const reply = () => json({ email: 'ada@x.example' });
  const { output, received, urls } = await runTrigger({ piece: dropbox, credential, reply }, {}, async ({ http }) =>
    dropbox.auth?.afterConnect?.(http, credential),
  );
  expect(output).toEqual({ label: 'ada@x.example' });
  const sent = received.map((request, index) => toSent(request, urls[index]));
  expect(sent).toEqual(await sentBy((client) => client.usersGetCurrentAccount()));
});

/** Returns the requests of the client. */
async function sentBy(call: Call): Promise<Sent[]> {
  const sent: Sent[] = [];
  const record = async (url: string, { method, headers, body }: RequestInit) => {
    const lowerCase = Object.fromEntries(new Headers(headers));
    sent.push(toSent({ method: method ?? '', url, headers: lowerCase, body: String(body ?? '') }, url));
    return new Response('{}', { headers: { 'dropbox-api-result': '{}' } });
  };
  await call(new Dropbox({ accessToken: 'canary', fetch: record }));
  return sent;
}

function toSent({ method, headers, body }: Recorded, url = ''): Sent {
  const inHeader = headers['dropbox-api-arg'];
  const argument = typeof inHeader === 'string' ? inHeader : body;
  return {
    ...{ method, url, authorization: headers.authorization },
    argument: argument === '' ? undefined : JSON.parse(argument, shortTag),
    content: inHeader === undefined ? undefined : body,
  };
}

/** The client sends a union without values as an object. Dropbox also accepts only its tag. */
function shortTag(_key: string, value: JsonValue): JsonValue {
  const isTag = typeof value === 'object' && value !== null && Object.keys(value).join() === '.tag';
  return isTag ? ((value as JsonObject)['.tag'] ?? null) : value;
}
