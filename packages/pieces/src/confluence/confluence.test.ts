import { type Credential, type JsonObject, testCredential } from '@drawbridge/piece-kit';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itSends } from '../../testing/witness.js';
import { confluence } from './index.js';

const props = { site: 'acme', email: 'ada@acme.example', apiToken: 'canary' };
const credential: Credential = { type: 'CUSTOM_AUTH', props };
const stored = { id: '7', title: 'Old', version: { number: 4 }, body: { storage: { value: '<p>Old</p>' } } };
const setting: Setting = { piece: confluence, credential, reply: () => json({ ...stored, results: [] }) };
const V2 = '/wiki/api/v2';
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const body = (value: string): string => `"body":${JSON.stringify({ representation: 'storage', value })}`;
const changed = (title: string, value: string, message = ''): string =>
  `PUT ${V2}/pages/7 {"id":"7","status":"current","title":"${title}",${body(value)},"version":{"number":5${message}}}`;
const READ = `GET ${V2}/pages/7?body-format=storage`;

describe('requests', () => {
  itSends(setting, {
    search: [
      [{ cql: 'type = page' }, 'GET /wiki/rest/api/search?cql=type+%3D+page&limit=25'],
      [{ cql: 'type = page', limit: 500 }, 'GET /wiki/rest/api/search?cql=type+%3D+page&limit=100'],
    ],
    get_page: [[{ page: '7' }, READ]],
    create_page: [
      [
        { space: '1', title: 'Tea', text: '**Hi**' },
        `POST ${V2}/pages {"spaceId":"1","status":"current","title":"Tea",${body('<p><strong>Hi</strong></p>\n')}}`,
      ],
      [
        { space: '1', title: 'Tea', text: '<p>**Hi**</p>', format: 'storage', parent: '6' },
        `POST ${V2}/pages {"spaceId":"1","status":"current","title":"Tea","parentId":"6",${body('<p>**Hi**</p>')}}`,
      ],
    ],
    update_page: [
      [{ page: '7' }, READ, changed('Old', '<p>Old</p>')],
      [
        { page: '7', title: 'New', text: 'Hi', format: 'markdown', message: 'Shorter' },
        READ,
        changed('New', '<p>Hi</p>\n', ',"message":"Shorter"'),
      ],
    ],
    append: [
      [{ page: '7', text: 'Hi' }, READ, changed('Old', '<p>Old</p><p>Hi</p>\n')],
      [
        { page: '7', text: '<p>Hi</p>', format: 'storage', message: 'More' },
        READ,
        changed('Old', '<p>Old</p><p>Hi</p>', ',"message":"More"'),
      ],
    ],
    comment: [
      [{ page: '7', text: 'Hi' }, `POST ${V2}/footer-comments {"pageId":"7",${body('<p>Hi</p>\n')}}`],
      [
        { page: '7', text: 'Hi', format: 'storage', reply_to: '9' },
        `POST ${V2}/footer-comments {"parentCommentId":"9",${body('Hi')}}`,
      ],
    ],
    list_spaces: [
      [{}, `GET ${V2}/spaces?limit=25`],
      [{ type: 'global', limit: 500 }, `GET ${V2}/spaces?type=global&limit=100`],
    ],
    list_children: [
      [{ page: '7' }, `GET ${V2}/pages/7/children?limit=25`],
      [{ page: '7', limit: 5 }, `GET ${V2}/pages/7/children?limit=5`],
    ],
    add_attachment: [[{ page: '7', file }, 'PUT /wiki/rest/api/content/7/child/attachment file=@a.txt;text/plain;hi']],
    add_label: [[{ page: '7', labels: ['a'] }, 'POST /wiki/rest/api/content/7/label [{"prefix":"global","name":"a"}]']],
  });
});

it('sends requests to the site, or by OAuth to the cloud id', async () => {
  const { urls, received } = await runPiece(setting, 'get_page', { page: '7' });
  expect(urls).toEqual([`https://acme.atlassian.net${V2}/pages/7?body-format=storage`]);
  expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada@acme.example:canary').toString('base64')}`);
  const oauth: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: { cloudId: 'c1' } };
  const other = await runPiece({ ...setting, credential: oauth }, 'get_page', { page: '7' });
  expect(other.urls).toEqual([`https://api.atlassian.com/ex/confluence/c1${V2}/pages/7?body-format=storage`]);
});

it.each<[string, JsonObject]>([
  ['search', { cql: 'type = page' }],
  ['list_spaces', {}],
  ['list_children', { page: '7' }],
])('reads the pages of %s by a cursor, below the path of the cloud id', async (action, input) => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('cursor=c%3D2')
      ? json({ results: [{ id: '2', title: 'B' }] })
      : json({ results: [{ id: '1', title: 'A' }], _links: { next: '/wiki/api/v2/x?limit=1&cursor=c%3D2' } });
  const oauth: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: { cloudId: 'c1' } };
  const { output, urls } = await runPiece({ ...setting, credential: oauth, reply }, action, input);
  expect(output['items']).toHaveLength(2);
  expect(urls.every((url) => url.startsWith('https://api.atlassian.com/ex/confluence/c1/wiki/'))).toBe(true);
});

it('returns the address of a page, and all of its fields', async () => {
  const page = {
    ...{ id: '7', title: 'T', status: 'current', spaceId: '1', parentId: '6', authorId: 'u1', createdAt: 'c' },
    ...{ version: { number: 4, createdAt: 'd' }, body: { storage: { value: '<p />' } } },
    _links: { base: 'https://acme.atlassian.net/wiki', webui: '/spaces/X/pages/7' },
  };
  const { output } = await runPiece({ ...setting, reply: () => json(page) }, 'get_page', { page: '7' });
  expect(output).toEqual({
    ...{ id: '7', title: 'T', status: 'current', spaceId: '1', parentId: '6', authorId: 'u1', createdAt: 'c' },
    ...{ version: 4, updatedAt: 'd', content: '<p />', link: 'https://acme.atlassian.net/wiki/spaces/X/pages/7' },
  });
});

it.each<[string, JsonObject, unknown, JsonObject]>([
  ['comment', { page: '7', text: 'x' }, { id: '9', pageId: '7', x: 1 }, { id: '9', pageId: '7' }],
  [
    ...(['add_attachment', { page: '7', file }] as const),
    { results: [{ id: 'a1', title: 'a.txt', x: 1, extensions: { fileSize: 2, mediaType: 'text/plain', x: 1 } }] },
    { id: 'a1', title: 'a.txt', size: 2, mediaType: 'text/plain' },
  ],
  [
    ...(['list_spaces', {}] as const),
    { results: [{ id: '1', key: 'ENG', name: 'A', type: 'global', homepageId: '2', x: 1 }] },
    { items: [{ id: '1', key: 'ENG', name: 'A', type: 'global', homepageId: '2' }] },
  ],
  [
    ...(['list_children', { page: '7' }] as const),
    { results: [{ id: '8', title: 'B', status: 'current', spaceId: '1', x: 1 }] },
    { items: [{ id: '8', title: 'B', status: 'current', spaceId: '1' }] },
  ],
  [
    ...(['create_page', { space: '1', title: 'T', text: 'x' }] as const),
    { id: '8', title: 'T', body: { storage: { value: 'long' } } },
    { id: '8', title: 'T' },
  ],
])('returns the fields of %s', async (action, input, body, expected) => {
  const { output } = await runPiece({ ...setting, reply: () => json(body) }, action, input);
  expect(output).toEqual(expected);
});

it('sends an attachment with the header that proves it is no forged form', async () => {
  const { received } = await runPiece(setting, 'add_attachment', { page: '7', file });
  expect(received[0]?.headers['x-atlassian-token']).toBe('nocheck');
});

it('changes no page without a version', async () => {
  const asked: string[] = [];
  const reply = ({ method }: Recorded): Reply => {
    asked.push(method);
    return json({ id: '7', title: 'T' });
  };
  await expect(runPiece({ ...setting, reply }, 'append', { page: '7', text: 'x' })).rejects.toThrow('a version');
  expect(asked).toEqual(['GET']);
});

it('has the types of spaces, and the scopes of all of its requests', () => {
  const types = confluence.actions['list_spaces']!.props['type']!.options.map(({ value }) => value);
  expect(types).toEqual(['global', 'personal', 'collaboration', 'knowledge_base']);
  expect(confluence.auth?.oauth2?.scopes.toSorted()).toEqual([
    ...['offline_access', 'read:attachment:confluence', 'read:comment:confluence', 'read:content-details:confluence'],
    ...['read:label:confluence', 'read:page:confluence', 'read:space:confluence', 'search:confluence'],
    ...['write:attachment:confluence', 'write:comment:confluence', 'write:label:confluence', 'write:page:confluence'],
  ]);
});

it('returns a page with its content, and a changed one without', async () => {
  const page = { ...stored, spaceId: '1', _links: { webui: '/spaces/X/pages/7' }, ownerId: 'x' };
  const shown = { ...setting, reply: () => json(page) };
  const short = { id: '7', title: 'Old', spaceId: '1', version: 4, link: '/spaces/X/pages/7' };
  expect((await runPiece(shown, 'get_page', { page: '7' })).output).toEqual({ ...short, content: '<p>Old</p>' });
  expect((await runPiece(shown, 'append', { page: '7', text: 'x' })).output).toEqual(short);
});

it('returns what a search found', async () => {
  const found = {
    content: { id: '7', type: 'page' },
    ...{ title: 'Tea', excerpt: 'Hot', url: '/x', lastModified: 'm', score: 1 },
    resultGlobalContainer: { title: 'S' },
  };
  const { output } = await runPiece({ ...setting, reply: () => json({ results: [found] }) }, 'search', { cql: 'x' });
  expect(output).toEqual({
    items: [{ title: 'Tea', excerpt: 'Hot', url: '/x', lastModified: 'm', id: '7', type: 'page', space: 'S' }],
  });
});

it('reports a version conflict', async () => {
  const errors = [{ status: 409, code: 'CONFLICT', title: 'Version must be incremented' }];
  const reply = ({ method }: Recorded): Reply => (method === 'PUT' ? json({ errors }, 409) : json(stored));
  await expect(runPiece({ ...setting, reply }, 'append', { page: '7', text: 'x' })).rejects.toMatchObject({
    ...{ status: 409, message: 'Version must be incremented' },
  });
});

it('offers the spaces', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('cursor=c2')
      ? json({ results: [{ id: '2', name: 'B' }] })
      : json({ results: [{ id: '1', name: 'A' }], _links: { next: '/wiki/api/v2/spaces?cursor=c2' } });
  const { output, asked } = await optionsOf({ ...setting, reply }, ['create_page', 'space']);
  expect(asked).toEqual([`GET ${V2}/spaces?limit=100`, `GET ${V2}/spaces?limit=100&cursor=c2`]);
  expect(output.options).toEqual([
    { label: 'A', value: '1' },
    { label: 'B', value: '2' },
  ]);
});

it('tests a credential by a space', async () => {
  const { received, send, close } = await startThirdParty(() => json({ results: [] }));
  await testCredential(confluence, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual([`GET ${V2}/spaces?limit=1`]);
});
