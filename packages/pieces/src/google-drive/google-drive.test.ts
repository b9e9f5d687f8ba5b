import { type Credential, multipart, testCredential } from '@drawbridge/piece-kit';
import { checkResponse } from '../../testing/check-request.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { googleDrive } from './index.js';
import { quoted } from './query.js';

const description = readDescription('google-drive');
const described = by(description);
const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer' };
const FOUND = { id: 'f1', name: 'a.txt', mimeType: 'text/plain', parents: ['old', 'p2'] };
const setting: Setting = { piece: googleDrive, credential, reply: () => json(FOUND) };
const AT = '/drive/v3/files';

/** Returns the metadata of an upload. */
function metadataOf({ headers, body }: Recorded): string {
  const [, boundary = ''] = /^multipart\/related; boundary=(\S+)$/.exec(headers['content-type'] ?? '') ?? [];
  const [, metadata = ''] = body.split(`--${boundary}`);
  return metadata.slice(metadata.indexOf('\r\n\r\n') + 4, -2);
}

/** The description has no upload requests. Their metadata is that of the same request without content. */
function check(request: Recorded): string[] {
  if (!request.url.startsWith('/upload/')) return described(request);
  const url = request.url.replace('/upload', '').replace('uploadType=multipart&', '');
  const headers = { 'content-type': 'application/json' };
  return described({ ...request, url, headers, body: metadataOf(request) });
}

const FIELDS =
  'id%2Cname%2CmimeType%2Csize%2CcreatedTime%2CmodifiedTime%2Cparents%2CwebViewLink' +
  '%2Cowners%28displayName%2CemailAddress%29%2CdriveId%2Ctrashed';
const ONE = `supportsAllDrives=true&fields=${FIELDS}`;
const LIST = 'supportsAllDrives=true&includeItemsFromAllDrives=true';
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };

const DOCUMENT = 'application/vnd.google-apps.document';
const TEXT = { contentType: 'text/plain', content: 'hi' };
const MARKDOWN = { contentType: 'text/markdown', content: '# Hi' };

/** Returns the line for a request with metadata and content. */
function uploaded(request: string, metadata: string, content = TEXT): string {
  const { body } = multipart(
    [{ contentType: 'application/json; charset=UTF-8', content: metadata }, content],
    'related',
  );
  return `${request}?uploadType=multipart&${ONE} ${Buffer.from(body).toString()}`;
}

describe('requests', () => {
  itIsAccepted({ ...setting, reply: () => json(FOUND) }, check, {
    search_files: [
      [
        {},
        `GET ${AT}?q=trashed+%3D+false&${LIST}&pageSize=100&orderBy=modifiedTime+desc&fields=nextPageToken%2Cfiles%28${FIELDS}%29`,
      ],
      [
        { name: 'Tea' },
        `GET ${AT}?q=name+contains+%27Tea%27+and+trashed+%3D+false&${LIST}&pageSize=100&orderBy=modifiedTime+desc&fields=nextPageToken%2Cfiles%28${FIELDS}%29`,
      ],
      [
        { text: 'tea' },
        `GET ${AT}?q=fullText+contains+%27tea%27+and+trashed+%3D+false&${LIST}&pageSize=100&fields=nextPageToken%2Cfiles%28${FIELDS}%29`,
      ],
      [
        {
          ...{ text: "it's", name: 'Tea', folder: 'p1', mime_type: 'application/pdf', query: 'starred = true' },
          ...{ modified_after: '2026-01-31T09:00:00Z', limit: 5 },
        },
        `GET ${AT}?q=fullText+contains+%27it%5C%27s%27+and+name+contains+%27Tea%27+and+%27p1%27+in+parents` +
          '+and+mimeType+%3D+%27application%2Fpdf%27+and+modifiedTime+%3E+%272026-01-31T09%3A00%3A00Z%27' +
          `+and+%28starred+%3D+true%29+and+trashed+%3D+false&${LIST}&pageSize=5&fields=nextPageToken%2Cfiles%28${FIELDS}%29`,
      ],
    ],
    get_file: [[{ file: 'f1' }, `GET ${AT}/f1?${ONE}`]],
    download: [
      [
        { file: 'f1' },
        `GET ${AT}/f1?supportsAllDrives=true&fields=name%2CmimeType`,
        `GET ${AT}/f1?supportsAllDrives=true&alt=media`,
      ],
    ],
    export: [
      [
        { file: 'f1', format: 'application/pdf' },
        `GET ${AT}/f1?supportsAllDrives=true&fields=name`,
        `GET ${AT}/f1/export?mimeType=application%2Fpdf`,
      ],
    ],
    create_folder: [
      [{ name: 'Tea' }, `POST ${AT}?${ONE} {"name":"Tea","mimeType":"application/vnd.google-apps.folder"}`],
      [
        { name: 'Tea', folder: 'p1' },
        `POST ${AT}?${ONE} {"name":"Tea","mimeType":"application/vnd.google-apps.folder","parents":["p1"]}`,
      ],
    ],
    upload: [
      [{ file }, uploaded(`POST /upload${AT}`, '{"name":"a.txt"}')],
      [{ file, folder: 'p1', name: 'B' }, uploaded(`POST /upload${AT}`, '{"name":"B","parents":["p1"]}')],
    ],
    update_content: [
      [{ file: 'f1', content: file }, uploaded(`PATCH /upload${AT}/f1`, '{}')],
      [{ file: 'f1', content: file, name: 'B' }, uploaded(`PATCH /upload${AT}/f1`, '{"name":"B"}')],
    ],
    create_document: [
      [
        { name: 'Tea', content: '# Hi' },
        uploaded(`POST /upload${AT}`, `{"name":"Tea","mimeType":"${DOCUMENT}"}`, MARKDOWN),
      ],
      [
        { name: 'Tea', content: '# Hi', folder: 'p1' },
        uploaded(`POST /upload${AT}`, `{"name":"Tea","mimeType":"${DOCUMENT}","parents":["p1"]}`, MARKDOWN),
      ],
    ],
    copy: [
      [{ file: 'f1' }, `POST ${AT}/f1/copy?${ONE} {}`],
      [{ file: 'f1', name: 'B', folder: 'p1' }, `POST ${AT}/f1/copy?${ONE} {"name":"B","parents":["p1"]}`],
    ],
    move: [
      [
        { file: 'f1', folder: 'p2' },
        `GET ${AT}/f1?supportsAllDrives=true&fields=parents`,
        `PATCH ${AT}/f1?${ONE}&addParents=p2&removeParents=old {}`,
      ],
    ],
    share: [
      [
        { file: 'f1', role: 'reader', type: 'anyone' },
        `POST ${AT}/f1/permissions?supportsAllDrives=true {"role":"reader","type":"anyone"}`,
      ],
      [
        {
          ...{ file: 'f1', role: 'writer', type: 'user', email: 'bob@x.example', domain: 'x.example' },
          ...{ notify: false, message: 'Hi' },
        },
        `POST ${AT}/f1/permissions?supportsAllDrives=true&sendNotificationEmail=false&emailMessage=Hi ` +
          '{"role":"writer","type":"user","emailAddress":"bob@x.example","domain":"x.example"}',
      ],
    ],
    trash: [[{ file: 'f1' }, `PATCH ${AT}/f1?${ONE} {"trashed":true}`]],
  });
});

it('returns the facts of a file that people need', async () => {
  const kept = { ...FOUND, driveId: 'd1', trashed: false };
  const found = { ...kept, owners: [{ displayName: 'Ada', emailAddress: 'ada@x.example' }], md5Checksum: 'x' };
  const { output, urls } = await runPiece({ ...setting, reply: () => json(found) }, 'get_file', { file: 'f1' });
  expect(output).toEqual({ ...kept, owners: ['ada@x.example'] });
  expect(urls).toEqual([`https://www.googleapis.com${AT}/f1?${ONE}`]);
});

it('names a downloaded and an exported file', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('fields=')
      ? json({ name: 'Tea.txt', mimeType: 'text/plain' })
      : { headers: { 'content-type': 'text/plain' }, body: 'hi' };
  for (const [name, input] of [
    ['download', { file: 'f1' }],
    ['export', { file: 'f1', format: 'text/plain' }],
  ] as const) {
    const { output } = await runPiece({ ...setting, reply }, name, input);
    expect(output).toEqual({ filename: 'Tea.txt', mimeType: 'text/plain', base64: 'aGk=' });
  }
});

it('does not download a document of Google', async () => {
  const reply = () => json({ name: 'Doc', mimeType: 'application/vnd.google-apps.document' });
  await expect(runPiece({ ...setting, reply }, 'download', { file: 'f1' })).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'file', message: 'is a document of Google: use the action "export"' },
  });
});

it.each(['folder', 'shortcut'])('does not download a %s', async (type) => {
  const reply = () => json({ name: 'Tea', mimeType: `application/vnd.google-apps.${type}` });
  await expect(runPiece({ ...setting, reply }, 'download', { file: 'f1' })).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'file', message: 'is a folder or a shortcut, which has no content' },
  });
});

it.each([
  ["it's", "'it\\'s'"],
  ['a\\b', "'a\\\\b'"],
  ["\\' or trashed = true or name = '", "'\\\\\\' or trashed = true or name = \\''"],
])('quotes %s', (text, expected) => expect(quoted(text)).toBe(expected));

it('reads the pages of a search up to the limit', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('pageToken=t2')
      ? json({ files: [{ id: '3' }] })
      : json({ files: [{ id: '1' }, { id: '2' }], nextPageToken: 't2' });
  const { output } = await runPiece({ ...setting, reply }, 'search_files', { limit: 3 });
  expect(output).toEqual({ items: [{ id: '1' }, { id: '2' }, { id: '3' }] });
  for (const body of [{ files: [{ id: '1', name: 'a' }], nextPageToken: 't' }])
    expect(checkResponse(description, 'GET /files', body)).toEqual([]);
});

it.each([
  ['folder', 'move', "mimeType = 'application/vnd.google-apps.folder' and trashed = false and name contains 'te'"],
  ['file', 'move', "mimeType != 'application/vnd.google-apps.folder' and trashed = false and name contains 'te'"],
])('offers each %s', async (property, action, q) => {
  const reply = () => json({ files: [{ id: '1', name: 'Tea' }] });
  const { output, received, urls } = await optionsOf({ ...setting, reply }, [action, property], {}, 'te');
  expect(output.options).toEqual([{ label: 'Tea', value: '1' }]);
  const query = { supportsAllDrives: 'true', includeItemsFromAllDrives: 'true', pageSize: '100' };
  expect(Object.fromEntries(new URL(urls[0]!).searchParams)).toEqual({
    ...{ q, ...query, orderBy: 'modifiedTime desc', fields: 'nextPageToken,files(id,name)' },
  });
  expect(received.flatMap(check)).toEqual([]);
});

it('tests a credential by its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({ user: {} }));
  await testCredential(googleDrive, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual(['GET /drive/v3/about?fields=user']);
  expect(received.flatMap(check)).toEqual([]);
});

it('has access to all files of the drive', () => {
  expect(googleDrive.auth?.oauth2?.scopes).toEqual(['https://www.googleapis.com/auth/drive']);
});

it.each([
  ['share', 'admin', ['email'], false],
  ['trash', 'delete', undefined, true],
  ['upload', 'write', undefined, false],
  ['update_content', 'write', undefined, true],
  ['create_document', 'write', undefined, false],
  ['create_folder', 'write', undefined, false],
  ['copy', 'write', undefined, false],
  ['move', 'write', undefined, true],
])('%s has the category %s', (name, category, recipients, idempotent) => {
  const { [name]: action } = googleDrive.actions;
  expect([action?.category, action?.recipients, action?.idempotent]).toEqual([category, recipients, idempotent]);
});

const OFFICE = 'application/vnd.openxmlformats-officedocument';

it.each([
  // The roles and types are those of the documentation: https://developers.google.com/workspace/drive/api/reference/rest/v3/permissions
  ['share', 'role', ['reader', 'commenter', 'writer']],
  ['share', 'type', ['user', 'group', 'domain', 'anyone']],
  // The formats are those of the documentation: https://developers.google.com/workspace/drive/api/guides/ref-export-formats
  [
    'export',
    'format',
    [
      ...['application/pdf', 'text/markdown', 'text/plain', `${OFFICE}.wordprocessingml.document`, 'text/csv'],
      ...[`${OFFICE}.spreadsheetml.sheet`, `${OFFICE}.presentationml.presentation`],
    ],
  ],
])('%s has the values of Google for %s', (name, property, expected) => {
  expect(googleDrive.actions[name]?.props[property]?.options.map(({ value }) => value)).toEqual(expected);
});

it('bounds ids and the number of files', () => {
  const { pattern } = googleDrive.actions['get_file']?.props['file']?.schema as { pattern: string };
  expect(['1a-B_c', 'a/b', '..', '', "a' or 'b"].map((id) => new RegExp(pattern).test(id))).toEqual([
    ...[true, false, false, false, false],
  ]);
  expect(googleDrive.actions['search_files']?.props['limit']?.schema).toMatchObject({ minimum: 1, maximum: 1_000 });
});
