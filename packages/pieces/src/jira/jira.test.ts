import { type Credential, type JsonObject, readAccount, testCredential } from '@drawbridge/piece-kit';
import { readMultipart } from '../../testing/read-multipart.js';
import { readDescription } from '../../testing/read-description.js';
import { json, optionsOf, propsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { by, itIsAccepted } from '../../testing/witness.js';
import { toDocument } from './document.js';
import { FIELDS } from './issue.js';
import { jira } from './index.js';

/** The description allows unknown keys in addition to the fields of an issue. Jira ignores them, so the test rejects them. */
const description = readDescription('jira');
for (const { body } of Object.values(description.operations)) delete body?.schema['additionalProperties'];
const described = by(description);
const props = { site: 'acme', email: 'ada@acme.example', apiToken: 'canary' };
const credential: Credential = { type: 'CUSTOM_AUTH', props };
const API = '/rest/api/3';

/** The description is older than the search and than the fields of an issue type. It also lacks the parts of a form, and the null assignee. */
function check(request: Recorded): string[] {
  const { pathname, searchParams } = new URL(request.url, 'https://acme.atlassian.net');
  const query = [...searchParams.keys()];
  const known: Record<string, { query: string[]; body: string[] }> = {
    [`${API}/search/jql`]: { query: [], body: ['jql', 'maxResults', 'fields', 'nextPageToken'] },
    [`${API}/issue/createmeta/ENG/issuetypes`]: { query: ['maxResults'], body: [] },
    [`${API}/issue/createmeta/ENG/issuetypes/10001`]: { query: ['maxResults', 'startAt'], body: [] },
    [`${API}/issue/ENG-1/attachments`]: { query: [], body: ['file'] },
  };
  const keys = known[pathname];
  if (!keys) return described({ ...request, body: request.body.replace('{"accountId":null', '{"accountId":"none"') });
  const parts = readMultipart(request)?.map(({ name }) => name);
  const body = parts ?? (request.body === '' ? [] : Object.keys(JSON.parse(request.body)));
  return [...query.filter((key) => !keys.query.includes(key)), ...body.filter((key) => !keys.body.includes(key))];
}

const field = (fieldId: string, schema: object, allowedValues?: object[]) => ({
  ...{ fieldId, name: fieldId.toUpperCase(), schema, ...(allowedValues && { allowedValues }) },
});
const options = [
  { id: '1', value: 'Blue' },
  { id: '2', name: 'Red' },
];
const meta = [
  field('cf_option', { type: 'option' }, options),
  field('cf_options', { type: 'array', items: 'option' }, options),
  field('cf_text', { type: 'string', custom: 'com.atlassian.jira.plugin.system.customfieldtypes:textarea' }),
  field('cf_user', { type: 'user' }),
  field('cf_time', { type: 'datetime' }),
  field('cf_sprint', { type: 'array', items: 'json', custom: 'com.pyxis.greenhopper.jira:gh-sprint' }),
];
const editmeta = Object.fromEntries(meta.map(({ fieldId, ...one }) => [fieldId, one]));
const reply = ({ url }: Recorded): Reply => {
  if (url.includes('createmeta')) return json({ fields: meta });
  if (url.includes('editmeta')) return json({ fields: editmeta });
  return json({ id: '1', key: 'ENG-1', issues: [], values: [] });
};
const setting: Setting = { piece: jira, credential, reply };

const doc = (markdown: string): string => JSON.stringify(toDocument(markdown));
const further = {
  ...{ cf_option: '1', cf_options: ['1', '2'], cf_text: 'Hi', cf_user: 'u2', cf_other: 5 },
  cf_time: '2026-01-31T10:00:00+01:00',
};
const FURTHER = `"cf_option":{"id":"1"},"cf_options":[{"id":"1"},{"id":"2"}],"cf_text":${doc('Hi')},"cf_user":{"accountId":"u2"},"cf_other":5,"cf_time":"2026-01-31T09:00:00.000+0000"`;
const file = { filename: 'a.txt', mimeType: 'text/plain', base64: 'aGk=' };
const issue = 'ENG-1';

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_issue: [
      [
        { project: 'ENG', type: '10001', summary: 'Broken' },
        `POST ${API}/issue {"fields":{"project":{"key":"ENG"},"issuetype":{"id":"10001"},"summary":"Broken"}}`,
      ],
      [
        {
          ...{ project: 'ENG', type: '10001', summary: 'Broken', description: '**Hi**', assignee: 'u1' },
          ...{ labels: ['a'], priority: 'High', due_date: '2026-01-31', parent: 'ENG-0', fields: further },
        },
        `GET ${API}/issue/createmeta/ENG/issuetypes/10001?maxResults=200`,
        `POST ${API}/issue {"fields":{${FURTHER},"project":{"key":"ENG"},"issuetype":{"id":"10001"},"summary":"Broken",` +
          `"description":${doc('**Hi**')},"assignee":{"accountId":"u1"},"labels":["a"],"priority":{"name":"High"},` +
          '"duedate":"2026-01-31","parent":{"key":"ENG-0"}}}',
      ],
    ],
    create_sprint_issue: [
      [
        { project: 'ENG', type: '10001', summary: 'Broken', sprint: '37' },
        `GET ${API}/issue/createmeta/ENG/issuetypes/10001?maxResults=200`,
        `POST ${API}/issue {"fields":{"project":{"key":"ENG"},"issuetype":{"id":"10001"},"summary":"Broken","cf_sprint":37}}`,
      ],
      [
        {
          ...{ project: 'ENG', type: '10001', summary: 'Broken', sprint: '37', description: '**Hi**', assignee: 'u1' },
          ...{ labels: ['a'], priority: 'High', due_date: '2026-01-31', parent: 'ENG-0', fields: further },
        },
        `GET ${API}/issue/createmeta/ENG/issuetypes/10001?maxResults=200`,
        `POST ${API}/issue {"fields":{${FURTHER},"project":{"key":"ENG"},"issuetype":{"id":"10001"},"summary":"Broken",` +
          `"description":${doc('**Hi**')},"assignee":{"accountId":"u1"},"labels":["a"],"priority":{"name":"High"},` +
          '"duedate":"2026-01-31","parent":{"key":"ENG-0"},"cf_sprint":37}}',
      ],
    ],
    update_issue: [
      [{ issue }, `PUT ${API}/issue/ENG-1 {"fields":{}}`],
      [
        {
          ...{ issue, summary: 'Broken', description: '', assignee: 'u1', priority: 'High', due_date: '2026-01-31' },
          ...{ add_labels: ['a'], remove_labels: ['b'], fields: further, notify: false },
        },
        `GET ${API}/issue/ENG-1/editmeta`,
        `PUT ${API}/issue/ENG-1?notifyUsers=false {"fields":{${FURTHER},"summary":"Broken","description":${doc('')},` +
          '"assignee":{"accountId":"u1"},"priority":{"name":"High"},"duedate":"2026-01-31"},' +
          '"update":{"labels":[{"add":"a"},{"remove":"b"}]}}',
      ],
    ],
    get_issue: [
      [{ issue }, `GET ${API}/issue/ENG-1?fields=${FIELDS.join('%2C')}`],
      [{ issue, comments: true }, `GET ${API}/issue/ENG-1?fields=${FIELDS.join('%2C')}%2Ccomment`],
    ],
    search: [
      [
        { jql: 'project = ENG' },
        `POST ${API}/search/jql {"jql":"project = ENG","maxResults":50,"fields":${JSON.stringify(FIELDS)}}`,
      ],
      [
        { jql: 'project = ENG', limit: 500 },
        `POST ${API}/search/jql {"jql":"project = ENG","maxResults":100,"fields":${JSON.stringify(FIELDS)}}`,
      ],
    ],
    transition: [
      [{ issue, transition: '5' }, `POST ${API}/issue/ENG-1/transitions {"transition":{"id":"5"}}`],
      [
        { issue, transition: '5', comment: 'Done' },
        `POST ${API}/issue/ENG-1/transitions {"transition":{"id":"5"},"update":{"comment":[{"add":{"body":${doc('Done')}}}]}}`,
      ],
    ],
    comment: [[{ issue, body: 'Hi' }, `POST ${API}/issue/ENG-1/comment {"body":${doc('Hi')}}`]],
    assign: [
      [{ issue }, `PUT ${API}/issue/ENG-1/assignee {"accountId":null}`],
      [{ issue, assignee: 'u1' }, `PUT ${API}/issue/ENG-1/assignee {"accountId":"u1"}`],
    ],
    add_attachment: [[{ issue, file }, `POST ${API}/issue/ENG-1/attachments file=@a.txt;text/plain;hi`]],
    list_projects: [
      [{}, `GET ${API}/project/search?maxResults=50`],
      [{ query: 'eng', limit: 5 }, `GET ${API}/project/search?query=eng&maxResults=50`],
    ],
    link_issues: [
      [
        { from: 'ENG-1', type: 'Blocks', to: 'ENG-2' },
        `POST ${API}/issueLink {"type":{"name":"Blocks"},"inwardIssue":{"key":"ENG-1"},"outwardIssue":{"key":"ENG-2"}}`,
      ],
    ],
    add_worklog: [
      [{ issue, minutes: 90 }, `POST ${API}/issue/ENG-1/worklog {"timeSpentSeconds":5400}`],
      [
        { issue, minutes: 90, started: '2026-01-31T10:00:00+01:00', comment: 'Hi' },
        `POST ${API}/issue/ENG-1/worklog {"timeSpentSeconds":5400,"started":"2026-01-31T09:00:00.000+0000","comment":${doc('Hi')}}`,
      ],
    ],
  });
});

it('sends requests to the site, or by OAuth to the cloud id', async () => {
  const { urls, received } = await runPiece(setting, 'comment', { issue, body: 'Hi' });
  expect(urls).toEqual([`https://acme.atlassian.net${API}/issue/ENG-1/comment`]);
  expect(received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada@acme.example:canary').toString('base64')}`);
  const oauth: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer', data: { cloudId: 'c1' } };
  const other = await runPiece({ ...setting, credential: oauth }, 'comment', { issue, body: 'Hi' });
  expect(other.urls).toEqual([`https://api.atlassian.com/ex/jira/c1${API}/issue/ENG-1/comment`]);
  const attached = await runPiece(setting, 'add_attachment', { issue, file });
  expect(attached.received[0]?.headers['x-atlassian-token']).toBe('no-check');
});

it('returns an issue with its description and comments as Markdown', async () => {
  const found = {
    ...{ id: '1', key: 'ENG-1', self: 'x' },
    fields: {
      ...{ summary: 'Broken', status: { name: 'To Do' }, project: { key: 'ENG' }, description: toDocument('**Hi**') },
      assignee: { displayName: 'Ada', accountId: 'u1' },
      comment: { comments: [{ id: '5', author: { displayName: 'Bob' }, created: 'c', body: toDocument('- a') }] },
    },
  };
  const { output } = await runPiece({ ...setting, reply: () => json(found) }, 'get_issue', { issue, comments: true });
  expect(output).toEqual({
    ...{ id: '1', key: 'ENG-1', summary: 'Broken', status: 'To Do', project: 'ENG', description: 'Hi' },
    ...{ assignee: 'Ada', assigneeId: 'u1', comments: [{ id: '5', author: 'Bob', created: 'c', body: '- a' }] },
  });
});

it('reads the pages of a search by a token', async () => {
  const pages = ({ body }: Recorded): Reply =>
    body.includes('"nextPageToken":"t2"')
      ? json({ issues: [{ key: 'ENG-2' }] })
      : json({ issues: [{ key: 'ENG-1' }], nextPageToken: 't2' });
  const { output } = await runPiece({ ...setting, reply: pages }, 'search', { jql: 'project = ENG' });
  expect(output).toEqual({ items: [{ key: 'ENG-1' }, { key: 'ENG-2' }] });
});

it.each([
  ['create_issue', { project: 'ENG', type: '10001' }],
  ['update_issue', { issue: 'ENG-1' }],
])('offers the further fields of %s by their types', async (action, input) => {
  const { output, received } = await propsOf(setting, [action, 'fields'], input);
  expect(Object.fromEntries(Object.entries(output).map(([id, { type }]) => [id, type]))).toEqual({
    ...{ cf_option: 'STATIC_DROPDOWN', cf_options: 'STATIC_MULTI_SELECT', cf_text: 'LONG_TEXT', cf_user: 'SHORT_TEXT' },
    cf_time: 'DATE_TIME',
  });
  expect(output['cf_option']!.options).toEqual([
    { label: 'Blue', value: '1' },
    { label: 'Red', value: '2' },
  ]);
  expect(received.flatMap(check)).toEqual([]);
  expect((await propsOf(setting, [action, 'fields'])).output).toEqual({});
});

it('creates nothing if the issues of a type have no sprint', async () => {
  const posted: string[] = [];
  const without = ({ method }: Recorded): Reply => {
    posted.push(method);
    return json({ fields: [field('cf_text', { type: 'array', items: 'json' })] });
  };
  const input = { project: 'ENG', type: '10001', summary: 'Broken', sprint: '37' };
  await expect(runPiece({ ...setting, reply: without }, 'create_sprint_issue', input)).rejects.toMatchObject({
    ...{ name: 'InputError', property: 'type' },
  });
  expect(posted).toEqual(['GET']);
  const { output } = await runPiece(setting, 'create_sprint_issue', input);
  expect(output).toEqual({ id: '1', key: 'ENG-1', sprint: '37' });
});

it('offers the sprints, and no functions of the query language', async () => {
  const results = [
    { value: 'openSprints()', displayName: 'openSprints()' },
    { value: '37', displayName: '<b>Spr</b>int 5' },
  ];
  const shown = { ...setting, reply: () => json({ results }) };
  const { output, asked, received } = await optionsOf(shown, ['create_sprint_issue', 'sprint'], {}, 'Spr');
  expect(output.options).toEqual([{ label: 'Sprint 5', value: '37' }]);
  expect(asked).toEqual([`GET ${API}/jql/autocompletedata/suggestions?fieldName=sprint&fieldValue=Spr`]);
  expect(received.flatMap(check)).toEqual([]);
});

it('reads all fields of an issue type', async () => {
  const many = Array.from({ length: 200 }, (_, index) => field(`cf_${index}`, { type: 'number' }));
  const pages = ({ url }: Recorded): Reply => json({ fields: url.includes('startAt=200') ? meta : many });
  const { output, received } = await propsOf({ ...setting, reply: pages }, ['create_issue', 'fields'], {
    ...{ project: 'ENG', type: '10001' },
  });
  expect(Object.keys(output)).toHaveLength(205);
  expect(received.flatMap(check)).toEqual([]);
});

it('returns the latest comments, at most 100', async () => {
  const comments = Array.from({ length: 120 }, (_, id) => ({ id: `${id}` }));
  const shown = { ...setting, reply: () => json({ id: '1', fields: { comment: { comments } } }) };
  const { output } = await runPiece(shown, 'get_issue', { issue, comments: true });
  const found = output['comments'] as JsonObject[];
  expect([found.length, found[0]?.['id'], found.at(-1)?.['id']]).toEqual([100, '20', '119']);
});

it.each<[string, string, JsonObject, [path: string, body: object]]>([
  [
    ...(['create_issue', 'project', {}] as const),
    ['/project/search?query=A&maxResults=50', { values: [{ key: '1', name: 'A' }] }],
  ],
  [
    ...(['create_issue', 'type', { project: 'ENG' }] as const),
    ['/issue/createmeta/ENG/issuetypes?maxResults=200', { issueTypes: [{ id: 1, name: 'A' }] }],
  ],
  [
    ...(['create_issue', 'assignee', { project: 'ENG' }] as const),
    ['/user/assignable/search?project=ENG&query=A&maxResults=100', [{ accountId: '1', displayName: 'A' }]],
  ],
  [
    ...(['assign', 'assignee', { issue: 'ENG-1' }] as const),
    ['/user/assignable/search?issueKey=ENG-1&query=A&maxResults=100', [{ accountId: '1', displayName: 'A' }]],
  ],
  [
    ...(['transition', 'transition', { issue: 'ENG-1' }] as const),
    ['/issue/ENG-1/transitions', { transitions: [{ id: '1', name: 'A' }] }],
  ],
  [...(['link_issues', 'type', {}] as const), ['/issueLinkType', { issueLinkTypes: [{ name: '1', outward: 'A' }] }]],
])('offers the options of %s.%s', async (action, property, input, [path, body]) => {
  const shown = { ...setting, reply: () => json(body) };
  const { output, asked, received } = await optionsOf(shown, [action, property], input, 'A');
  expect(output.options).toEqual([{ label: 'A', value: '1' }]);
  expect(asked).toEqual([`GET ${API}${path}`]);
  expect(received.flatMap(check)).toEqual([]);
  if (Object.keys(input).length > 0) expect((await optionsOf(setting, [action, property])).output.disabled).toBe(true);
});

it.each([
  [{ errorMessages: ['Issue does not exist'], errors: {} }, 'Issue does not exist'],
  [{ errorMessages: [], errors: { summary: 'Too long' } }, 'summary: Too long'],
])('reports %j', async (body, message) => {
  const failing = { ...setting, reply: () => json(body, 400) };
  await expect(runPiece(failing, 'comment', { issue, body: 'x' })).rejects.toMatchObject({ status: 400, message });
});

describe('a new OAuth connection', () => {
  const oauth: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer' };
  const read = async (sites: object[]) => {
    const { send, received, close } = await startThirdParty(() => json(sites));
    const account = await readAccount(jira, { credential: oauth, send }).finally(close);
    return { account, asked: received.map(toLine) };
  };

  it('uses the first site that the user granted for Jira', async () => {
    const { account, asked } = await read([
      { id: 'c0', name: 'wiki', url: 'https://wiki.atlassian.net', scopes: ['read:page:confluence'] },
      { id: 'c1', name: 'acme', url: 'https://acme.atlassian.net', scopes: ['write:jira-work', 'read:jira-work'] },
    ]);
    expect(account).toEqual({ data: { cloudId: 'c1', siteUrl: 'https://acme.atlassian.net' }, label: 'acme' });
    expect(asked).toEqual(['GET /oauth/token/accessible-resources']);
  });

  it('fails if there is none', async () => {
    await expect(read([])).rejects.toThrow('no site');
  });
});

it('tests a credential by its user', async () => {
  const { received, send, close } = await startThirdParty(() => json({}));
  await testCredential(jira, { credential, send });
  await close();
  expect(received.map(toLine)).toEqual([`GET ${API}/myself`]);
});
