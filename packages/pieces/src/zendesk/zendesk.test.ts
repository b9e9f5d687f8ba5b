import {
  type Credential,
  isCredentialRefused,
  type JsonObject,
  ProviderError,
  testCredential,
} from '@drawbridge/piece-kit';
import { json, optionsOf, propsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itSends } from '../../testing/witness.js';
import { zendesk } from './index.js';

const props = { subdomain: 'acme', email: 'ada@acme.example', apiToken: 'canary' };
const credential: Credential = { type: 'CUSTOM_AUTH', props };
const setting: Setting = { piece: zendesk, credential, reply: () => json({ ticket: { id: 7, url: 'x' } }) };
const AT = '/api/v2';

const fields = {
  ...{ status: 'open', priority: 'high', type: 'incident', assignee_id: '5', group_id: '6', tags: ['vip'] },
  custom_fields: { 360001234567: 'blue', 12: true },
};
const FIELDS = '"status":"open","priority":"high","type":"incident","assignee_id":"5","group_id":"6","tags":["vip"]';
const CUSTOM = '"custom_fields":[{"id":12,"value":true},{"id":360001234567,"value":"blue"}]';
const file = { filename: 'a b.txt', mimeType: 'text/plain', base64: 'aGk=' };

describe('requests', () => {
  itSends(setting, {
    create_ticket: [
      [
        { subject: 'Tea', comment: 'Cold' },
        `POST ${AT}/tickets {"ticket":{"subject":"Tea","comment":{"body":"Cold"}}}`,
      ],
      [
        {
          ...{ subject: 'Tea', comment: 'Cold', requester_email: 'bob@x.example', requester_name: 'Bob', ...fields },
          uploads: ['t1'],
        },
        `POST ${AT}/tickets {"ticket":{"subject":"Tea",${FIELDS},"comment":{"body":"Cold","uploads":["t1"]},` +
          `"requester":{"email":"bob@x.example","name":"Bob"},${CUSTOM}}}`,
      ],
    ],
    update_ticket: [
      [{ ticket_id: 7 }, `PUT ${AT}/tickets/7 {"ticket":{}}`],
      [
        { ticket_id: 7, subject: 'Tea', ...fields },
        `PUT ${AT}/tickets/7 {"ticket":{"subject":"Tea",${FIELDS},${CUSTOM}}}`,
      ],
    ],
    reply: [
      [{ ticket_id: 7, body: 'Hi' }, `PUT ${AT}/tickets/7 {"ticket":{"comment":{"body":"Hi","public":true}}}`],
      [
        { ticket_id: 7, body: 'Hi', status: 'solved', uploads: ['t1'] },
        `PUT ${AT}/tickets/7 {"ticket":{"comment":{"body":"Hi","public":true,"uploads":["t1"]},"status":"solved"}}`,
      ],
    ],
    add_internal_note: [
      [{ ticket_id: 7, body: 'Hi' }, `PUT ${AT}/tickets/7 {"ticket":{"comment":{"body":"Hi","public":false}}}`],
      [
        { ticket_id: 7, body: 'Hi', uploads: ['t1'] },
        `PUT ${AT}/tickets/7 {"ticket":{"comment":{"body":"Hi","public":false,"uploads":["t1"]}}}`,
      ],
    ],
    get_ticket: [
      [{ ticket_id: 7 }, `GET ${AT}/tickets/7`],
      [{ ticket_id: 7, raw: true }, `GET ${AT}/tickets/7`],
    ],
    search: [
      [{ query: 'refund' }, `GET ${AT}/search?query=type%3Aticket+refund&per_page=100`],
      [
        { query: 'refund', sort_by: 'created_at', sort_order: 'asc', limit: 5 },
        `GET ${AT}/search?query=type%3Aticket+refund&sort_by=created_at&sort_order=asc&per_page=5`,
      ],
    ],
    list_comments: [
      [{ ticket_id: 7 }, `GET ${AT}/tickets/7/comments?page%5Bsize%5D=100`],
      [{ ticket_id: 7, limit: 5 }, `GET ${AT}/tickets/7/comments?page%5Bsize%5D=5`],
    ],
    create_user: [
      [
        { name: 'Bob', email: 'bob@x.example' },
        `POST ${AT}/users/create_or_update {"user":{"name":"Bob","email":"bob@x.example"}}`,
      ],
      [
        { name: 'Bob', email: 'bob@x.example', phone: '+1555', role: 'agent' },
        `POST ${AT}/users/create_or_update {"user":{"name":"Bob","email":"bob@x.example","phone":"+1555","role":"agent"}}`,
      ],
    ],
    find_user: [
      [{ query: 'bob' }, `GET ${AT}/users/search?query=bob&per_page=100`],
      [{ query: 'bob', limit: 5 }, `GET ${AT}/users/search?query=bob&per_page=5`],
    ],
    add_tags: [[{ ticket_id: 7, tags: ['vip'] }, `PUT ${AT}/tickets/7/tags {"tags":["vip"]}`]],
    upload_attachment: [[{ file }, `POST ${AT}/uploads?filename=a+b.txt hi`]],
  });
});

it('sends requests to the account, as the agent', async () => {
  const { urls, received } = await runPiece(setting, 'get_ticket', { ticket_id: 7 });
  expect(urls).toEqual(['https://acme.zendesk.com/api/v2/tickets/7']);
  const basic = Buffer.from('ada@acme.example/token:canary').toString('base64');
  expect(received[0]?.headers.authorization).toBe(`Basic ${basic}`);
  const oauth: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'bearer', data: { subdomain: 'beta' } };
  const other = await runPiece({ ...setting, credential: oauth }, 'get_ticket', { ticket_id: 7 });
  expect(other.urls).toEqual(['https://beta.zendesk.com/api/v2/tickets/7']);
  expect(other.received[0]?.headers.authorization).toBe('Bearer canary');
});

describe('outputs', () => {
  const output = async (name: string, input: JsonObject, body: unknown) =>
    (await runPiece({ ...setting, reply: () => json(body) }, name, input)).output;
  const kept = { id: 7, subject: 'Tea', organization_id: 9, custom_fields: [{ id: 1, value: 'a' }] };
  const ticket = { ...kept, via: { channel: 'web' }, fields: [], is_public: true };

  it('has the fields of a ticket that people need, or all', async () => {
    expect(await output('get_ticket', { ticket_id: 7 }, { ticket })).toEqual({ ...kept, channel: 'web' });
    expect(await output('get_ticket', { ticket_id: 7, raw: true }, { ticket })).toEqual(ticket);
    expect(await output('search', { query: 'x' }, { results: [ticket] })).toEqual({
      items: [{ ...kept, channel: 'web' }],
    });
  });

  it('has comments with their attachments', async () => {
    const attachments = [{ id: 1, file_name: 'a.txt', content_url: 'https://x.example/a', thumbnails: [] }];
    const comments = [{ id: 2, body: 'Hi', html_body: '<p>Hi</p>', public: true, attachments }];
    expect(await output('list_comments', { ticket_id: 7 }, { comments })).toEqual({
      items: [
        {
          ...{ id: 2, body: 'Hi', public: true },
          attachments: [{ id: 1, file_name: 'a.txt', content_url: 'https://x.example/a' }],
        },
      ],
    });
  });

  it('has users, and the token of an upload', async () => {
    const short = { id: 3, name: 'Bob', email: 'bob@x.example', role: 'end-user', phone: '+1555' };
    const user = { ...short, photo: {} };
    expect(await output('find_user', { query: 'bob' }, { users: [user] })).toEqual({ items: [short] });
    expect(await output('create_user', { name: 'Bob', email: 'bob@x.example' }, { user })).toEqual(short);
    const upload = { token: 't1', attachment: { id: 1, file_name: 'a.txt', url: 'x' } };
    expect(await output('upload_attachment', { file }, { upload })).toEqual({ token: 't1', id: 1, file_name: 'a.txt' });
  });
});

describe('lists', () => {
  const page = (at: string, next: string | null, cursor: boolean): Reply => {
    const items = [{ id: at, name: `N${at}` }];
    const more = cursor ? { links: { next } } : { next_page: next };
    return json({ comments: items, results: items, users: items, groups: items, ...more });
  };
  const inPages =
    (cursor: boolean) =>
    ({ url }: Recorded): Reply =>
      url.includes('page=2') ? page('2', null, cursor) : page('1', `https://acme.zendesk.com${url}&page=2`, cursor);

  it.each([
    ['list_comments', { ticket_id: 7 }, true],
    ['search', { query: 'x' }, false],
    ['find_user', { query: 'x' }, false],
  ])('reads the pages of %s', async (name, input, cursor) => {
    const { output } = await runPiece({ ...setting, reply: inPages(cursor) }, name, input);
    expect((output['items'] as JsonObject[]).map(({ id }) => id)).toEqual(['1', '2']);
  });

  it('ends where Zendesk says so, although there is a URL of a next page', async () => {
    const links = { next: 'https://acme.zendesk.com/api/v2/tickets/7/comments?page[after]=x' };
    const reply = () => json({ comments: [{ id: 1 }], meta: { has_more: false }, links });
    const { asked } = await runPiece({ ...setting, reply }, 'list_comments', { ticket_id: 7 });
    expect(asked).toHaveLength(1);
  });

  it('offers an agent without a name by the email address', async () => {
    const reply = () => json({ users: [{ id: 1, name: null, email: 'ada@acme.example' }] });
    const { output } = await optionsOf({ ...setting, reply }, ['update_ticket', 'assignee_id']);
    expect(output.options).toEqual([{ label: 'ada@acme.example', value: '1' }]);
  });

  it.each([
    ['assignee_id', 'GET /api/v2/users?role%5B%5D=agent&role%5B%5D=admin&page%5Bsize%5D=100'],
    ['group_id', 'GET /api/v2/groups?page%5Bsize%5D=100'],
  ])('offers %s', async (property, first) => {
    const { output, asked } = await optionsOf({ ...setting, reply: inPages(true) }, ['update_ticket', property]);
    expect(output.options).toEqual([
      { label: 'N1', value: '1' },
      { label: 'N2', value: '2' },
    ]);
    expect(asked[0]).toBe(first);
  });

  it('has a form field for each active custom field that can be set', async () => {
    const options = [{ name: 'Blue', value: 'blue' }];
    const types = ['text', 'textarea', 'integer', 'decimal', 'date', 'checkbox', 'tagger', 'multiselect', 'regexp'];
    const custom = types.map((type, id) => ({ id, type, title: type, active: true, custom_field_options: options }));
    const others = [
      ...[
        { id: 90, type: 'subject', title: 'Subject', active: true },
        { id: 91, type: 'text', title: 'Old', active: false },
      ],
      { id: 92, type: 'tagger', title: 'Empty', active: true, custom_field_options: [] },
    ];
    const reply = () => json({ ticket_fields: [...custom, ...others] });
    const { output, asked } = await propsOf({ ...setting, reply }, ['create_ticket', 'custom_fields']);
    expect(asked).toEqual(['GET /api/v2/ticket_fields?page%5Bsize%5D=100']);
    expect(Object.entries(output).map(([id, { displayName, type }]) => `${id} ${displayName} ${type}`)).toEqual([
      ...['0 text SHORT_TEXT', '1 textarea LONG_TEXT', '2 integer NUMBER', '3 decimal NUMBER', '4 date SHORT_TEXT'],
      ...['5 checkbox CHECKBOX', '6 tagger STATIC_DROPDOWN', '7 multiselect STATIC_MULTI_SELECT'],
      '8 regexp SHORT_TEXT',
    ]);
  });
});

it.each([
  [
    {
      error: 'RecordInvalid',
      description: 'Record validation errors',
      details: { base: [{ description: 'Status: closed' }] },
    },
    'Status: closed',
    'RecordInvalid',
  ],
  [
    {
      ...{ error: 'RecordInvalid', description: 'Record validation errors' },
      details: { requester: [{ description: 'Requester: Email is not valid', error: 'InvalidValue' }] },
    },
    'requester: Requester: Email is not valid',
    'RecordInvalid',
  ],
  [{ error: 'RecordInvalid', description: 'Record validation errors' }, 'Record validation errors', 'RecordInvalid'],
  [{ error: 'RecordNotFound', description: 'Not found' }, 'Not found', 'RecordNotFound'],
  [{ error: { title: 'Forbidden', message: 'You do not have access' } }, 'You do not have access', 'Forbidden'],
])('reads the failure %j', async (body, message, code) => {
  const run = runPiece({ ...setting, reply: () => json(body, 422) }, 'get_ticket', { ticket_id: 7 });
  await expect(run).rejects.toMatchObject({ message, code, status: 422 });
});

it('tests a credential by its user, who is not anonymous', async () => {
  const test = async (user: unknown) => {
    const { received, send, close } = await startThirdParty(() => json({ user }));
    const result = await testCredential(zendesk, { credential, send }).catch((error: unknown) => error);
    await close();
    expect(received.map(toLine)).toEqual(['GET /api/v2/users/me']);
    return result;
  };
  expect(await test({ id: 1 })).toBeUndefined();
  for (const user of [{ id: null, name: 'Anonymous user' }, undefined]) {
    const error = await test(user);
    expect(error).toBeInstanceOf(ProviderError);
    expect(isCredentialRefused(zendesk, error as ProviderError)).toBe(true);
  }
});

it('names a requester only with the email address', async () => {
  const input = { subject: 'Tea', comment: 'Cold', requester_name: 'Bob' };
  await expect(runPiece(setting, 'create_ticket', input)).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'requester_name' },
  });
});

it('uploads a file with its type', async () => {
  const { received } = await runPiece(setting, 'upload_attachment', { file });
  expect(received[0]?.headers['content-type']).toBe('text/plain');
});

// The addresses and scopes are those of the documentation:
// https://developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/oauth-integration-guide/
it('has the addresses and scopes of OAuth', () => {
  expect(zendesk.auth?.oauth2).toEqual({
    ...{ authUrl: 'https://{subdomain}.zendesk.com/oauth/authorizations/new', scopes: ['read', 'write'], pkce: true },
    ...{ tokenUrl: 'https://{subdomain}.zendesk.com/oauth/tokens', tokenBody: 'json', refresh: 'rotating' },
  });
});

it.each([
  ['create_ticket', 'send', ['requester_email'], false],
  ['reply', 'send', ['ticket_id'], false],
  ['add_internal_note', 'write', undefined, false],
  ['update_ticket', 'write', undefined, true],
  ['add_tags', 'write', undefined, true],
  ['create_user', 'admin', undefined, true],
  ['upload_attachment', 'write', undefined, false],
])('%s has the category %s', (name, category, recipients, idempotent) => {
  const { [name]: action } = zendesk.actions;
  expect([action?.category, action?.recipients, action?.idempotent]).toEqual([category, recipients, idempotent]);
});

// The values are those of the documentation: https://developer.zendesk.com/api-reference/ticketing/tickets/tickets/#json-format
it.each([
  ['update_ticket', 'status', ['new', 'open', 'pending', 'hold', 'solved', 'closed']],
  ['update_ticket', 'priority', ['urgent', 'high', 'normal', 'low']],
  ['update_ticket', 'type', ['problem', 'incident', 'question', 'task']],
  ['create_user', 'role', ['end-user', 'agent', 'admin']],
  ['search', 'sort_by', ['updated_at', 'created_at', 'priority', 'status', 'ticket_type']],
])('%s has the values of Zendesk for %s', (name, property, expected) => {
  expect(zendesk.actions[name]?.props[property]?.options.map(({ value }) => value)).toEqual(expected);
});

it('bounds ids and the number of items', () => {
  const { pattern } = zendesk.actions['update_ticket']?.props['assignee_id']?.schema as { pattern: string };
  expect(['5', '5/x', '', 'a'].map((id) => new RegExp(pattern).test(id))).toEqual([true, false, false, false]);
  // A search has at most 1,000 results.
  expect(zendesk.actions['search']?.props['limit']?.schema).toMatchObject({ minimum: 1, maximum: 1_000 });
});
