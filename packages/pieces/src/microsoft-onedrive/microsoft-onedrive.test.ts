import { type JsonObject, runAction, testCredential } from '@drawbridge/piece-kit';
import { toGraphNotation } from '../../testing/graph-notation.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, type Calls, itIsAccepted } from '../../testing/witness.js';
import { microsoftOnedrive } from './index.js';

const described = by(readDescription('microsoft-onedrive'));
const check = (request: Recorded): string[] => described(toGraphNotation(request));
const credential = { type: 'OAUTH2', accessToken: 'eyJ_canary', tokenType: 'Bearer' } as const;
const setting = { piece: microsoftOnedrive, credential };
const run = (name: string, input: JsonObject, reply?: Setting['reply']) => runPiece({ ...setting, reply }, name, input);

const OWN = '/v1.0/me/drive';
const DRIVE = '/v1.0/drives/b!t18';
const driveId = 'b!t18';
const itemId = '01NK';
const siteId = 'acme.sharepoint.com,da60,712a';
const FIELDS =
  '%24select=id%2Cname%2Csize%2CwebUrl%2Cfile%2Cfolder%2CcreatedDateTime%2ClastModifiedDateTime%2ClastModifiedBy%2CparentReference';
const FILE = '%24select=id%2Cname%2Csize%2Cfile';
const TARGET = '%24select=id%2CparentReference';
const CONFLICT = '%40microsoft.graph.conflictBehavior';
const SITE = '%24select=id%2CdisplayName%2Cname%2Cdescription%2CwebUrl%2ClastModifiedDateTime';
const file = { filename: 'a b.txt', mimeType: 'text/plain', base64: 'aGk=' };
const expirationDateTime = '2026-01-31T01:00:00.5+01:00';

const calls: Calls = {
  search: [
    [{ query: 'budget' }, `GET ${OWN}/root/search(q='budget')?${FIELDS}&%24top=25`],
    [
      { query: "Ann's 50%/2", folderId: '/My files', driveId, limit: 1_000 },
      `GET ${DRIVE}/root:/My%20files:/search(q='Ann''s%2050%25%2F2')?${FIELDS}&%24top=100`,
    ],
  ],
  list_folder: [
    [{}, `GET ${OWN}/root/children?${FIELDS}&%24top=25`],
    [{ folderId: itemId, driveId, limit: 7 }, `GET ${DRIVE}/items/01NK/children?${FIELDS}&%24top=7`],
    [{ folderId: '/Reports/2026/' }, `GET ${OWN}/root:/Reports/2026:/children?${FIELDS}&%24top=25`],
  ],
  get_item: [
    [{ itemId }, `GET ${OWN}/items/01NK?${FIELDS}`],
    [{ itemId: '/Reports/100%.xlsx', driveId }, `GET ${DRIVE}/root:/Reports/100%25.xlsx?${FIELDS}`],
    [{ itemId: '/' }, `GET ${OWN}/root?${FIELDS}`],
  ],
  download: [
    [{ itemId }, `GET ${OWN}/items/01NK?${FILE}`, `GET ${OWN}/items/01NK/content`],
    [{ itemId: '/a/b.txt', driveId }, `GET ${DRIVE}/root:/a/b.txt?${FILE}`, `GET ${DRIVE}/root:/a/b.txt:/content`],
  ],
  upload: [
    [{ file }, `PUT ${OWN}/root:/a%20b.txt:/content hi`],
    [
      { file, folderId: itemId, name: 'c.txt', conflictBehavior: 'rename', driveId },
      `PUT ${DRIVE}/items/01NK:/c.txt:/content?${CONFLICT}=rename hi`,
    ],
    [{ file, folderId: '/My files/' }, `PUT ${OWN}/root:/My%20files/a%20b.txt:/content hi`],
    [{ file, folderId: '/' }, `PUT ${OWN}/root:/a%20b.txt:/content hi`],
  ],
  create_folder: [
    [
      { name: 'New' },
      `POST ${OWN}/root/children {"name":"New","folder":{},"@microsoft.graph.conflictBehavior":"fail"}`,
    ],
    [
      { name: 'New', folderId: itemId, conflictBehavior: 'rename', driveId },
      `POST ${DRIVE}/items/01NK/children {"name":"New","folder":{},"@microsoft.graph.conflictBehavior":"rename"}`,
    ],
  ],
  copy: [
    [
      { itemId, folderId: '/Archive' },
      `GET ${OWN}/root:/Archive?${TARGET}`,
      `POST ${OWN}/items/01NK/copy {"parentReference":{"driveId":"b!own","id":"01FO"}}`,
    ],
    [
      { itemId, folderId: '01FO', name: 'b.txt', driveId, targetDriveId: 'b!other' },
      `GET /v1.0/drives/b!other/items/01FO?${TARGET}`,
      `POST ${DRIVE}/items/01NK/copy {"parentReference":{"driveId":"b!own","id":"01FO"},"name":"b.txt"}`,
    ],
    [
      { itemId, folderId: '/', driveId },
      `GET ${DRIVE}/root?${TARGET}`,
      `POST ${DRIVE}/items/01NK/copy {"parentReference":{"driveId":"b!own","id":"01FO"}}`,
    ],
  ],
  move: [
    [{ itemId }, `PATCH ${OWN}/items/01NK {}`],
    [{ itemId, name: 'b.txt' }, `PATCH ${OWN}/items/01NK {"name":"b.txt"}`],
    [
      { itemId, folderId: '/Archive', name: 'b.txt', driveId },
      `GET ${DRIVE}/root:/Archive?${TARGET}`,
      `PATCH ${DRIVE}/items/01NK {"parentReference":{"id":"01FO"},"name":"b.txt"}`,
    ],
  ],
  share_link: [
    [{ itemId, type: 'view' }, `POST ${OWN}/items/01NK/createLink {"type":"view"}`],
    [
      { itemId: '/a.txt', type: 'edit', scope: 'organization', expirationDateTime, driveId },
      `POST ${DRIVE}/root:/a.txt:/createLink {"type":"edit","scope":"organization","expirationDateTime":"2026-01-31T00:00:00Z"}`,
    ],
  ],
  delete: [
    [{ itemId }, `DELETE ${OWN}/items/01NK`],
    [{ itemId: '/a.txt', driveId }, `DELETE ${DRIVE}/root:/a.txt`],
  ],
  list_sites: [
    [{ query: 'team' }, `GET /v1.0/sites?search=team&${SITE}`],
    [{ query: 'team', limit: 3 }, `GET /v1.0/sites?search=team&${SITE}`],
  ],
  list_site_files: [
    [{ siteId }, `GET /v1.0/sites/acme.sharepoint.com%2Cda60%2C712a/drive/root/children?${FIELDS}&%24top=25`],
    [
      { siteId, libraryId: driveId, folderId: '/Plans', limit: 3 },
      `GET ${DRIVE}/root:/Plans:/children?${FIELDS}&%24top=3`,
    ],
  ],
};

const item = {
  '@microsoft.graph.downloadUrl': 'https://acme-my.sharepoint.com/download?tempauth=secret',
  ...{ id: '01FO', name: 'a.txt', size: 2, file: { mimeType: 'text/plain' }, parentReference: { driveId: 'b!own' } },
};
itIsAccepted({ ...setting, reply: () => json(item) }, check, calls);

it('asks for the permissions of its actions', () => {
  const scopes = ['offline_access', 'User.Read', 'Files.ReadWrite.All', 'Sites.Read.All'];
  expect(microsoftOnedrive.auth?.oauth2?.scopes).toEqual(scopes);
});

it('checks a credential by reading its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({ id: '1' }));
  await testCredential(microsoftOnedrive, { credential, send }).finally(close);
  expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /v1.0/me']);
  expect(received[0]?.headers.authorization).toBe('Bearer eyJ_canary');
});

describe('an item', () => {
  const whole = {
    ...{ '@odata.etag': '"1"', '@microsoft.graph.downloadUrl': item['@microsoft.graph.downloadUrl'] },
    ...{ id: '01NK', name: 'a b.txt', size: 2, webUrl: 'https://acme/a', file: { mimeType: 'text/plain', hashes: {} } },
    ...{ createdDateTime: '2026-01-30T00:00:00Z', lastModifiedDateTime: '2026-01-31T00:00:00Z' },
    lastModifiedBy: { user: { displayName: 'Ann', id: '1' } },
    parentReference: { driveId, driveType: 'business', id: '01FO', path: '/drives/b!t18/root:/My%20files' },
  };
  const entry = {
    ...{ id: '01NK', name: 'a b.txt', type: 'file', size: 2, mimeType: 'text/plain', webUrl: 'https://acme/a' },
    ...{ createdDateTime: '2026-01-30T00:00:00Z', lastModifiedDateTime: '2026-01-31T00:00:00Z' },
    ...{ lastModifiedBy: 'Ann', path: '/My files/a b.txt', folderId: '01FO', driveId },
  };

  it.each<[string, JsonObject]>([
    ['get_item', { itemId }],
    ['upload', { file }],
    ['create_folder', { name: 'New' }],
    ['move', { itemId, name: 'b.txt' }],
  ])('of %s has the fields that people need, and no URL that needs no credential', async (action, input) => {
    expect((await run(action, input, () => json(whole))).output).toEqual(entry);
  });

  it.each<[string, JsonObject]>([
    ['search', { query: 'a' }],
    ['list_folder', {}],
    ['list_site_files', { siteId }],
  ])('of %s is the same', async (action, input) => {
    expect((await run(action, input, () => json({ value: [whole] }))).output).toEqual({ items: [entry] });
  });

  it.each([
    [{ folder: { childCount: 3 } }, { type: 'folder', childCount: 3 }],
    [{ package: { type: 'oneNote' } }, { type: 'other' }],
    [
      { file: {}, parentReference: { path: '/drive/root:' } },
      { type: 'file', path: '/x' },
    ],
    [{ file: {}, parentReference: { path: '/drive/root:/100%' } }, { type: 'file' }],
  ])('with %j is %j', async (facets, expected) => {
    const { output } = await run('get_item', { itemId }, () => json({ id: '1', name: 'x', ...facets }));
    expect(output).toEqual({ id: '1', name: 'x', ...expected });
  });

  it.each(['/a/../b', '..', '/.'])('is not looked for at %s', async (path) => {
    await expect(run('get_item', { itemId: path })).rejects.toMatchObject({ name: 'InputError', property: 'itemId' });
  });
});

describe('download', () => {
  const download = (metadata: JsonObject, content: Uint8Array | string = 'hi') =>
    run('download', { itemId }, ({ url }): Reply =>
      url.endsWith('/content')
        ? { headers: { 'content-type': 'application/octet-stream' }, body: content }
        : json(metadata),
    );

  it('returns a file with its name and its type', async () => {
    const { output } = await download(
      { name: 'a.bin', size: 2, file: { mimeType: 'image/png' } },
      Uint8Array.of(255, 0),
    );
    expect(output).toEqual({ filename: 'a.bin', mimeType: 'image/png', base64: '/wA=' });
  });

  it('follows the redirect to the content, which gets no credential from egress', async () => {
    const urls: [string, number | undefined][] = [];
    const { send, close } = await startThirdParty(() => json(item));
    await runAction(microsoftOnedrive, 'download', {
      ...{ credential, input: { itemId } },
      send: (request) => (urls.push([request.url, request.maxRedirects]), send(request)),
    }).finally(close);
    expect(urls[1]).toEqual(['https://graph.microsoft.com/v1.0/me/drive/items/01NK/content', 5]);
  });

  it.each([
    ['a folder', { name: 'a', size: 2, folder: {} }],
    ['a file that is too large', { name: 'a', size: 6_000_001, file: {} }],
  ])('refuses %s', async (_, metadata) => {
    await expect(download(metadata)).rejects.toMatchObject({ name: 'InputError', property: 'itemId' });
  });
});

it('uploads bytes with their type', async () => {
  const binary = { filename: 'a.png', mimeType: 'image/png', base64: 'AP8=' };
  const { received } = await run('upload', { file: binary }, () => json(item));
  expect(received[0]?.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': '2' });
});

it('returns the URL that monitors a copy', async () => {
  const location = 'https://acme.sharepoint.com/_api/v2.0/monitor/4A34';
  const reply = ({ method }: Recorded): Reply =>
    method === 'POST' ? { status: 202, headers: { location }, body: '' } : json(item);
  expect((await run('copy', { itemId, folderId: '/' }, reply)).output).toEqual({ monitorUrl: location });
});

it.each([{}, { parentReference: { driveId } }, { id: '1', parentReference: {} }])(
  'copies nothing into a folder that is %j',
  async (folder) => {
    const copying = run('copy', { itemId, folderId: '/x' }, () => json(folder));
    await expect(copying).rejects.toThrow('without its id or its drive');
  },
);

it('returns the permission of a link', async () => {
  const link = { type: 'view', scope: 'anonymous', webUrl: 'https://1drv.ms/A6913' };
  const reply = () => json({ '@odata.context': 'x', id: '123ABC', roles: ['read'], link });
  const { output } = await run('share_link', { itemId, type: 'view' }, reply);
  expect(output).toEqual({ id: '123ABC', roles: ['read'], link });
});

it('returns at most as many sites as are wanted', async () => {
  const value = ['1', '2', '3'].map((id) => ({ '@odata.etag': 'x', id }));
  const { output } = await run('list_sites', { query: 'a', limit: 2 }, () => json({ value }));
  expect(output).toEqual({ items: [{ id: '1' }, { id: '2' }] });
});

describe('options', () => {
  const folder = { id: '1', name: 'Reports', folder: {} };
  const value = [folder, { id: '2', name: 'a.txt', file: {} }];
  const both = [
    { label: 'Reports', value: '1' },
    { label: 'a.txt', value: '2' },
  ];

  it.each<[string, string, JsonObject, string, object[]]>([
    ['get_item', 'itemId', {}, `GET ${OWN}/root/children?%24select=id%2Cname%2Cfolder&%24top=100`, both],
    [
      'list_folder',
      'folderId',
      { driveId },
      `GET ${DRIVE}/root/children?%24select=id%2Cname%2Cfolder&%24top=100`,
      both.slice(0, 1),
    ],
    ['get_item', 'driveId', {}, 'GET /v1.0/me/drives?%24select=id%2Cname', both],
    ['list_site_files', 'libraryId', { siteId: 's' }, 'GET /v1.0/sites/s/drives?%24select=id%2Cname', both],
    [
      'list_site_files',
      'folderId',
      { siteId: 's' },
      'GET /v1.0/sites/s/drive/root/children?%24select=id%2Cname%2Cfolder&%24top=100',
      both.slice(0, 1),
    ],
  ])('of %s.%s with %j', async (...[action, property, input, line, expected]) => {
    const { output, asked, received } = await optionsOf(
      { ...setting, reply: () => json({ value }) },
      [action, property],
      input,
    );
    expect([output.options, asked]).toEqual([expected, [line]]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('of items are those that the text finds', async () => {
    const found = await optionsOf({ ...setting, reply: () => json({ value }) }, ['get_item', 'itemId'], {}, 'rep');
    expect(found.asked).toEqual([`GET ${OWN}/root/search(q='rep')?%24select=id%2Cname%2Cfolder&%24top=100`]);
    expect(found.received.flatMap(check)).toEqual([]);
  });

  it.each([
    [undefined, 'GET /v1.0/me/followedSites'],
    ['team', 'GET /v1.0/sites?search=team'],
  ])('of sites for the text %s', async (search, line) => {
    const reply = () =>
      json({
        value: [
          { id: '1', displayName: 'Team' },
          { id: '2', webUrl: 'https://acme/team' },
        ],
      });
    const { output, asked, received } = await optionsOf(
      { ...setting, reply },
      ['list_site_files', 'siteId'],
      {},
      search,
    );
    expect(output.options).toEqual([
      { label: 'Team', value: '1' },
      { label: 'https://acme/team', value: '2' },
    ]);
    expect(asked).toEqual([line]);
    expect(received.flatMap(check)).toEqual([]);
  });

  it('of libraries are disabled without a site', async () => {
    const { output } = await optionsOf(setting, ['list_site_files', 'libraryId']);
    expect(output).toEqual({ options: [], disabled: true });
  });
});

it("fails with Microsoft's message and code", async () => {
  const error = { code: 'itemNotFound', message: 'The resource could not be found.' };
  await expect(run('delete', { itemId }, () => json({ error }, 404))).rejects.toMatchObject({
    ...{ name: 'ProviderError', status: 404, code: 'itemNotFound', message: 'The resource could not be found.' },
    retryable: false,
  });
});

it.each([
  [429, { 'retry-after': '60' }, 60],
  [509, {}, undefined],
])('reports a limit with status %i', async (status, headers, retryAfter) => {
  const error = { code: 'activityLimitReached', message: 'The app or user has been throttled.' };
  const limited = run('delete', { itemId }, () => json({ error }, status, headers));
  await expect(limited).rejects.toMatchObject({ status, code: error.code, retryable: true, retryAfter });
});
