import { type Credential, testCredential } from '@drawbridge/piece-kit';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itSends } from '../../testing/witness.js';
import { dropbox } from './index.js';
import { contentRequest } from './requests.js';

const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer' };
const ENTRY = { '.tag': 'file', id: 'id:1', name: 'a.txt', path_display: '/A.txt', path_lower: '/a.txt', rev: 'r1' };
const SHORT = { type: 'file', id: 'id:1', name: 'a.txt', path: '/A.txt', rev: 'r1' };
const setting: Setting = { piece: dropbox, credential, reply: () => json({ metadata: ENTRY, entries: [] }) };
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };

describe('requests', () => {
  itSends(setting, {
    upload: [
      [{ file }, 'POST /2/files/upload hi'],
      [{ file, path: '/B.txt', mode: 'overwrite', autorename: true, mute: true }, 'POST /2/files/upload hi'],
    ],
    download: [[{ file: '/a.txt' }, 'POST /2/files/download']],
    list_folder: [
      [{}, 'POST /2/files/list_folder {"path":"","recursive":false,"limit":100}'],
      [
        { folder: '/r', recursive: true, limit: 5 },
        'POST /2/files/list_folder {"path":"/r","recursive":true,"limit":5}',
      ],
    ],
    search: [
      [{ query: 'tea' }, 'POST /2/files/search_v2 {"query":"tea","options":{"max_results":100}}'],
      [
        {
          ...{ query: 'tea', folder: '/r', names_only: true, extensions: ['pdf'] },
          ...{ order: 'last_modified_time', limit: 5 },
        },
        'POST /2/files/search_v2 {"query":"tea","options":{"path":"/r","max_results":5,"filename_only":true,' +
          '"file_extensions":["pdf"],"order_by":"last_modified_time"}}',
      ],
    ],
    create_folder: [
      [{ path: '/r' }, 'POST /2/files/create_folder_v2 {"path":"/r"}'],
      [{ path: '/r', autorename: true }, 'POST /2/files/create_folder_v2 {"path":"/r","autorename":true}'],
    ],
    move: [
      [{ path: '/a', to_path: '/b' }, 'POST /2/files/move_v2 {"from_path":"/a","to_path":"/b"}'],
      [
        { path: 'id:1', to_path: '/b', autorename: true },
        'POST /2/files/move_v2 {"from_path":"id:1","to_path":"/b","autorename":true}',
      ],
    ],
    copy: [
      [{ path: '/a', to_path: '/b' }, 'POST /2/files/copy_v2 {"from_path":"/a","to_path":"/b"}'],
      [
        { path: '/a', to_path: '/b', autorename: true },
        'POST /2/files/copy_v2 {"from_path":"/a","to_path":"/b","autorename":true}',
      ],
    ],
    delete: [[{ path: '/a' }, 'POST /2/files/delete_v2 {"path":"/a"}']],
    share_link: [
      [{ path: '/a' }, 'POST /2/sharing/create_shared_link_with_settings {"path":"/a","settings":{}}'],
      [
        { path: '/a', audience: 'public', access: 'viewer', expires: '2026-01-31T09:00:00.5+01:00' },
        'POST /2/sharing/create_shared_link_with_settings {"path":"/a","settings":{"audience":"public","access":"viewer",' +
          '"expires":"2026-01-31T08:00:00Z"}}',
      ],
    ],
    get_metadata: [[{ path: '/a' }, 'POST /2/files/get_metadata {"path":"/a"}']],
    get_temporary_link: [[{ file: '/a' }, 'POST /2/files/get_temporary_link {"path":"/a"}']],
    list_revisions: [
      [{ file: '/a' }, 'POST /2/files/list_revisions {"path":"/a","mode":"path","limit":10}'],
      [{ file: 'id:1', limit: 5 }, 'POST /2/files/list_revisions {"path":"id:1","mode":"id","limit":5}'],
    ],
    restore: [[{ path: '/a', rev: 'a1c10ce0dd78' }, 'POST /2/files/restore {"path":"/a","rev":"a1c10ce0dd78"}']],
  });
});

it('sends files to their own origin, with the arguments in a header', async () => {
  const { urls, received } = await runPiece(setting, 'upload', {
    file,
    path: '/Größe \u{1f375}.txt',
    autorename: true,
  });
  expect(urls).toEqual(['https://content.dropboxapi.com/2/files/upload']);
  expect(received[0]?.headers).toMatchObject({
    ...{ authorization: 'Bearer canary', 'content-type': 'application/octet-stream' },
    'dropbox-api-arg': '{"path":"/Gr\\u00f6\\u00dfe \\ud83c\\udf75.txt","mode":"add","autorename":true}',
  });
  const { received: downloads } = await runPiece(setting, 'download', { file: '/a.txt' });
  expect(downloads[0]?.headers).toMatchObject({ 'dropbox-api-arg': '{"path":"/a.txt"}' });
  expect(downloads[0]?.headers['content-type']).toBeUndefined();
});

it('escapes arguments in time linear in their size', () => {
  const cost = (size: number): number => {
    const path = `/${'ä'.repeat(size)}`;
    const began = process.cpuUsage();
    contentRequest('files/download', { path });
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1_000;
  };
  cost(1_000);
  expect(cost(450_000)).toBeLessThan(1_000);
});

it.each([
  ['{"name":"A b.txt"}', 'A b.txt'],
  ['no JSON', 'file'],
  [undefined, 'file'],
])('names a download by its metadata: %j', async (result, filename) => {
  const headers = { 'content-type': 'text/plain', ...(result && { 'dropbox-api-result': result }) };
  const reply = (): Reply => ({ headers, body: 'hi' });
  const { output } = await runPiece({ ...setting, reply }, 'download', { file: '/a.txt' });
  expect(output).toEqual({ filename, mimeType: 'text/plain', base64: 'aGk=' });
});

it.each([
  ['list_folder', {}, 'entries', 'POST /2/files/list_folder/continue {"cursor":"c1"}'],
  ['search', { query: 'x' }, 'matches', 'POST /2/files/search/continue_v2 {"cursor":"c1"}'],
])('reads the pages of %s', async (action, input, items, next) => {
  const wrap = (entry: object) => (items === 'matches' ? { metadata: { '.tag': 'metadata', metadata: entry } } : entry);
  const reply = ({ url }: Recorded): Reply =>
    url.includes('continue')
      ? json({ [items]: [wrap({ ...ENTRY, id: 'id:2' })], cursor: 'c2', has_more: false })
      : json({ [items]: [wrap(ENTRY)], cursor: 'c1', has_more: true });
  const { output, asked } = await runPiece({ ...setting, reply }, action, input);
  expect(output).toEqual({ items: [SHORT, { ...SHORT, id: 'id:2' }] });
  expect(asked[1]).toBe(next);
});

it.each([
  ['create_folder', { path: '/a' }],
  ['move', { path: '/a', to_path: '/b' }],
  ['copy', { path: '/a', to_path: '/b' }],
  ['delete', { path: '/a' }],
])('%s returns the item', async (action, input) => {
  const { output } = await runPiece(setting, action, input);
  expect(output).toEqual(SHORT);
});

it('returns the link that a file has already', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('list_shared_links')
      ? json({ links: [{ url: 'https://www.dropbox.com/s/1', name: 'a.txt', link_permissions: {} }] })
      : json({ error_summary: 'shared_link_already_exists/metadata/..', error: { '.tag': 'x' } }, 409);
  const { output, asked } = await runPiece({ ...setting, reply }, 'share_link', { path: '/a' });
  expect(output).toEqual({ url: 'https://www.dropbox.com/s/1', name: 'a.txt' });
  expect(asked[1]).toBe('POST /2/sharing/list_shared_links {"path":"/a","direct_only":true}');
});

it('returns a temporary link', async () => {
  const reply = () => json({ link: 'https://dl.example/1', metadata: ENTRY });
  const { output } = await runPiece({ ...setting, reply }, 'get_temporary_link', { file: '/a' });
  expect(output).toEqual({ link: 'https://dl.example/1', file: SHORT });
});

it('reports the failure of an endpoint by its summary', async () => {
  const reply = () => json({ error_summary: 'path/not_found/..', error: { '.tag': 'path' } }, 409);
  await expect(runPiece({ ...setting, reply }, 'get_metadata', { path: '/a' })).rejects.toMatchObject({
    ...{
      name: 'ProviderError',
      status: 409,
      code: 'path/not_found/..',
      message: 'path/not_found/..',
      retryable: false,
    },
  });
});

it('offers the folders', async () => {
  const folder = { '.tag': 'folder', path_display: '/Reports', path_lower: '/reports' };
  const reply = () => json({ entries: [ENTRY, folder], has_more: false });
  const { output } = await optionsOf({ ...setting, reply }, ['list_folder', 'folder']);
  expect(output.options).toEqual([{ label: '/Reports', value: '/reports' }]);
});

it('tests a credential, and names the account, by its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({ email: 'ada@x.example' }));
  await testCredential(dropbox, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['POST /2/users/get_current_account']);
  const { output } = await runPiece(setting, 'get_metadata', { path: '/a' });
  expect(output).toBeDefined();
});
