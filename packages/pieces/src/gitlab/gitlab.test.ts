import { type Credential, type JsonObject, readAccount, testCredential } from '@drawbridge/piece-kit';
import { json, optionsOf, runPiece, type Setting, toLine } from '../../testing/run-piece.js';
import { type Recorded, type Reply, startThirdParty } from '../../testing/third-party.js';
import { itSends } from '../../testing/witness.js';
import { gitlab } from './index.js';

const credential: Credential = { type: 'OAUTH2', accessToken: 'canary', tokenType: 'Bearer' };
const isRead = ({ url, method }: Recorded): boolean => url.includes('/files/new') && method === 'GET';
const setting: Setting = {
  ...{ piece: gitlab, credential },
  reply: (request) => (isRead(request) ? json({ message: '404 File Not Found' }, 404) : json({ last_commit_id: 'c1' })),
};
const AT = '/api/v4/projects/acme%2Fapp';
const project = 'acme/app';

describe('requests', () => {
  itSends(setting, {
    create_issue: [
      [{ project, title: 'Broken' }, `POST ${AT}/issues {"title":"Broken"}`],
      [
        {
          ...{ project, title: 'Broken', description: 'Text', labels: ['a', 'b'], assignee_ids: ['5'] },
          ...{ due_date: '2026-01-31', confidential: true },
        },
        `POST ${AT}/issues {"title":"Broken","description":"Text","due_date":"2026-01-31","confidential":true,` +
          '"labels":"a,b","assignee_ids":[5]}',
      ],
    ],
    update_issue: [
      [{ project, issue: 7 }, `PUT ${AT}/issues/7 {}`],
      [
        {
          ...{ project, issue: 7, title: 'Broken', description: 'Text', add_labels: ['a'], remove_labels: ['b', 'c'] },
          ...{ assignee_ids: ['5'], due_date: '2026-01-31', state: 'close' },
        },
        `PUT ${AT}/issues/7 {"title":"Broken","description":"Text","due_date":"2026-01-31","add_labels":"a",` +
          '"remove_labels":"b,c","assignee_ids":[5],"state_event":"close"}',
      ],
    ],
    get_issue: [[{ project: '15', issue: 7 }, 'GET /api/v4/projects/15/issues/7']],
    comment: [
      [{ project, on: 'issues', iid: 7, body: 'Hi' }, `POST ${AT}/issues/7/notes {"body":"Hi"}`],
      [{ project, on: 'merge_requests', iid: 7, body: 'Hi' }, `POST ${AT}/merge_requests/7/notes {"body":"Hi"}`],
    ],
    search_issues: [
      [{}, 'GET /api/v4/issues?per_page=20&scope=all'],
      [
        { text: 'crash', project, state: 'opened', labels: 'a,b', assignee: 'ada', order: 'updated_at', limit: 500 },
        `GET ${AT}/issues?search=crash&state=opened&labels=a%2Cb&assignee_username=ada&order_by=updated_at&per_page=100`,
      ],
    ],
    create_merge_request: [
      [
        { project, source_branch: 'fix', target_branch: 'main', title: 'Fix' },
        `POST ${AT}/merge_requests {"source_branch":"fix","target_branch":"main","title":"Fix"}`,
      ],
      [
        {
          ...{ project, source_branch: 'fix', target_branch: 'main', title: 'Fix', description: 'Text', labels: ['a'] },
          ...{ assignee_ids: ['5'], reviewer_ids: ['6', '7'], remove_source_branch: true, squash: false },
        },
        `POST ${AT}/merge_requests {"source_branch":"fix","target_branch":"main","title":"Fix","description":"Text",` +
          '"remove_source_branch":true,"squash":false,"labels":"a","assignee_ids":[5],"reviewer_ids":[6,7]}',
      ],
    ],
    get_merge_request: [
      [{ project, merge_request: 7 }, `GET ${AT}/merge_requests/7`],
      [
        { project, merge_request: 7, diff: true },
        `GET ${AT}/merge_requests/7`,
        `GET ${AT}/merge_requests/7/diffs?per_page=100`,
      ],
    ],
    merge: [
      [{ project, merge_request: 7 }, `PUT ${AT}/merge_requests/7/merge {}`],
      [
        {
          ...{ project, merge_request: 7, sha: 'a'.repeat(40), squash: true, merge_commit_message: 'Fix' },
          ...{ should_remove_source_branch: true, auto_merge: true },
        },
        `PUT ${AT}/merge_requests/7/merge {"sha":"${'a'.repeat(40)}","squash":true,"merge_commit_message":"Fix",` +
          '"should_remove_source_branch":true,"auto_merge":true}',
      ],
    ],
    get_file: [
      [{ project, path: 'docs/a b.md' }, `GET ${AT}/repository/files/docs%2Fa%20b.md?ref=HEAD`],
      [{ project, path: 'a.md', ref: 'v1' }, `GET ${AT}/repository/files/a.md?ref=v1`],
    ],
    put_file: [
      [
        { project, path: 'a.md', branch: 'main', content: 'Hi', message: 'Say hi' },
        `GET ${AT}/repository/files/a.md?ref=main`,
        `PUT ${AT}/repository/files/a.md {"branch":"main","content":"Hi","commit_message":"Say hi","last_commit_id":"c1"}`,
      ],
      [
        { project, path: 'new.md', branch: 'main', content: 'Hi', message: 'Say hi' },
        `GET ${AT}/repository/files/new.md?ref=main`,
        `POST ${AT}/repository/files/new.md {"branch":"main","content":"Hi","commit_message":"Say hi"}`,
      ],
    ],
    list_pipelines: [
      [{ project }, `GET ${AT}/pipelines?per_page=20`],
      [{ project, ref: 'main', status: 'failed', limit: 5 }, `GET ${AT}/pipelines?ref=main&status=failed&per_page=5`],
    ],
    run_pipeline: [
      [{ project, ref: 'main' }, `POST ${AT}/pipeline {"ref":"main"}`],
      [
        { project, ref: 'main', variables: { DEPLOY: 'yes' } },
        `POST ${AT}/pipeline {"ref":"main","variables":[{"key":"DEPLOY","value":"yes"}]}`,
      ],
    ],
    list_commits: [
      [{ project }, `GET ${AT}/repository/commits?per_page=20`],
      [
        {
          ...{
            project,
            ref: 'main',
            path: 'src',
            since: '2026-01-01T00:00:00Z',
            until: '2026-01-31T00:00:00Z',
            limit: 5,
          },
        },
        `GET ${AT}/repository/commits?ref_name=main&path=src&since=2026-01-01T00%3A00%3A00Z&until=2026-01-31T00%3A00%3A00Z&per_page=5`,
      ],
    ],
  });
});

it('sends requests to gitlab.com, or with a token to an instance', async () => {
  const { urls, received } = await runPiece(setting, 'get_issue', { project, issue: 7 });
  expect(urls).toEqual([`https://gitlab.com${AT}/issues/7`]);
  expect(received[0]?.headers.authorization).toBe('Bearer canary');
  const props = { address: 'https://git.acme.example', token: 'glpat-1' };
  const own = await runPiece({ ...setting, credential: { type: 'CUSTOM_AUTH', props } }, 'get_issue', {
    project,
    issue: 7,
  });
  expect(own.urls).toEqual([`https://git.acme.example${AT}/issues/7`]);
  expect(own.received[0]?.headers.authorization).toBe('Bearer glpat-1');
});

const output = async (name: string, input: JsonObject, body: unknown) =>
  (await runPiece({ ...setting, reply: () => json(body) }, name, input)).output;

it('returns issues with their people and the content of files', async () => {
  const issue = {
    ...{ id: 1, iid: 7, title: 'Broken', author: { username: 'ada', avatar_url: 'x' }, _links: {} },
    ...{ assignees: [{ username: 'bob' }], milestone: { title: 'M1' } },
  };
  const short = { id: 1, iid: 7, title: 'Broken', author: 'ada', assignees: ['bob'], milestone: 'M1' };
  expect(await output('get_issue', { project, issue: 7 }, issue)).toEqual(short);
  const file = {
    file_path: 'a.md',
    size: 5,
    ref: 'main',
    last_commit_id: 'c1',
    content: Buffer.from('Größe').toString('base64'),
  };
  expect(await output('get_file', { project, path: 'a.md' }, file)).toEqual({
    ...{ file_path: 'a.md', size: 5, ref: 'main', last_commit_id: 'c1', content: 'Größe' },
  });
  const request = {
    iid: 7,
    source_branch: 'fix',
    head_pipeline: { status: 'success' },
    reviewers: [{ username: 'eve' }],
  };
  expect(await output('merge', { project, merge_request: 7 }, request)).toEqual({
    ...{ iid: 7, source_branch: 'fix', pipeline: 'success', reviewers: ['eve'] },
  });
});

/** Returns an object with these fields, each with its name as the value, and one further field that must not be in the output. */
const having = (...names: string[]) => Object.fromEntries([...names, 'unknown'].map((name) => [name, name]));
const issueFields = [
  ...['id', 'iid', 'project_id', 'title', 'description', 'state', 'labels', 'web_url', 'created_at', 'updated_at'],
  ...['due_date', 'confidential'],
];
const requestFields = [
  ...[
    ...issueFields.slice(0, 10),
    'source_branch',
    'target_branch',
    'draft',
    'detailed_merge_status',
    'merged_at',
    'sha',
  ],
  'has_conflicts',
];
const pipelineFields = ['id', 'iid', 'status', 'source', 'ref', 'sha', 'web_url', 'created_at', 'updated_at'];

it.each<[string, JsonObject, string[]]>([
  ['create_issue', { project, title: 'x' }, issueFields],
  ['get_merge_request', { project, merge_request: 7 }, requestFields],
  ['comment', { project, on: 'issues', iid: 7, body: 'x' }, ['id', 'body', 'created_at', 'noteable_type']],
  ['run_pipeline', { project, ref: 'x' }, ['id', 'iid', 'status', 'ref', 'sha', 'web_url', 'created_at']],
])('returns the fields of %s', async (action, input, names) => {
  const author = { username: 'ada' };
  const expected = Object.fromEntries(names.map((name) => [name, name]));
  const { author: writer, ...fields } = await output(action, input, { ...having(...names), author });
  expect(fields).toEqual(expected);
  if (action !== 'run_pipeline') expect(writer).toBe('ada');
});

it.each<[string, string[]]>([
  ['list_pipelines', pipelineFields],
  ['list_commits', ['id', 'title', 'message', 'author_name', 'author_email', 'created_at', 'parent_ids', 'web_url']],
])('returns the fields of each item of %s', async (action, names) => {
  const expected = Object.fromEntries(names.map((name) => [name, name]));
  expect(await output(action, { project }, [having(...names)])).toEqual({ items: [expected] });
});

it('returns the diffs of at most 300 files', async () => {
  const names = ['old_path', 'new_path', 'diff', 'new_file', 'renamed_file', 'deleted_file', 'too_large'];
  const link = (page: number) => ({ link: `<https://gitlab.com/api/v4/x/diffs?page=${page}>; rel="next"` });
  const reply = ({ url }: Recorded): Reply => {
    const page = Number(/page=(\d)$/.exec(url)?.[1] ?? 1);
    return url.includes('/diffs') ? json(Array(100).fill(having(...names)), 200, link(page + 1)) : json({ iid: 7 });
  };
  const input = { project, merge_request: 7, diff: true };
  const { output: found, asked } = await runPiece({ ...setting, reply }, 'get_merge_request', input);
  const files = found['files'] as JsonObject[];
  expect(files[0]).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  expect([files.length, asked.length]).toEqual([300, 4]);
});

it('tells whether a file is new, and writes none if it cannot be read', async () => {
  const input = { project, path: 'a.md', branch: 'main', content: 'x', message: 'x' };
  const written = { file_path: 'a.md', branch: 'main' };
  const shown = (status: number): Setting => ({
    ...setting,
    reply: ({ method }) => (method === 'GET' ? json({ message: 'x', last_commit_id: 'c' }, status) : json(written)),
  });
  expect((await runPiece(shown(200), 'put_file', input)).output).toEqual({ ...written, isNew: false });
  expect((await runPiece(shown(404), 'put_file', input)).output).toEqual({ ...written, isNew: true });
  await expect(runPiece(shown(403), 'put_file', input)).rejects.toMatchObject({ status: 403 });
});

it.each([
  ['get_file', { project, path: '..' }],
  ['get_file', { project, path: '.' }],
  ['get_issue', { project: '..', issue: 7 }],
])('refuses a path that leaves the project: %s %j', async (action, input) => {
  await expect(runPiece(setting, action, input)).rejects.toThrow('must not contain the path segment');
});

it.each([
  ['search_issues', 'order', ['created_at', 'updated_at', 'due_date', 'priority']],
  ['search_issues', 'state', ['opened', 'closed', 'all']],
  ['update_issue', 'state', ['close', 'reopen']],
  [
    ...(['list_pipelines', 'status'] as const),
    [
      ...['created', 'waiting_for_resource', 'preparing', 'pending', 'running', 'success', 'failed', 'canceled'],
      ...['skipped', 'manual', 'scheduled'],
    ],
  ],
])('has the values of %s.%s', (action, property, values) => {
  expect(gitlab.actions[action]!.props[property]!.options.map(({ value }) => value)).toEqual(values);
});

it('declares its OAuth and where a limit says how long to wait', () => {
  expect(gitlab.auth?.oauth2).toEqual({
    ...{ authUrl: 'https://gitlab.com/oauth/authorize', tokenUrl: 'https://gitlab.com/oauth/token' },
    ...{ scopes: ['api', 'read_user'], pkce: true, refresh: 'rotating' },
    revoke: { url: 'https://gitlab.com/oauth/revoke' },
  });
  expect(gitlab.http?.rateLimit).toEqual({ wait: [{ header: 'ratelimit-reset', as: 'time' }] });
});

it('reads the pages of a list by its links', async () => {
  const reply = ({ url }: Recorded): Reply =>
    url.includes('?page=2')
      ? json([{ iid: 2 }])
      : json([{ iid: 1 }], 200, { link: `<https://gitlab.com/api/v4/issues?page=2>; rel="next"` });
  const { output: found } = await runPiece({ ...setting, reply }, 'search_issues', {});
  expect(found).toEqual({ items: [{ iid: 1 }, { iid: 2 }] });
});

it.each([
  [{ message: '404 Project Not Found' }, '404 Project Not Found'],
  [{ message: { title: ["can't be blank"] } }, "title: can't be blank"],
  [{ error: 'insufficient_scope', error_description: 'Needs api' }, 'Needs api'],
  [{ error: 'title is missing' }, 'title is missing'],
])('reports %j', async (body, message) => {
  const failing = { ...setting, reply: () => json(body, 400) };
  await expect(runPiece(failing, 'get_issue', { project, issue: 7 })).rejects.toMatchObject({ status: 400, message });
});

const PROJECTS = 'membership=true&simple=true&order_by=last_activity_at&per_page=100&search=a&search_namespaces=true';

it.each([
  [
    ...(['create_issue', 'project', `/api/v4/projects?${PROJECTS}`] as const),
    [{ path_with_namespace: 'acme/app' }, { label: 'acme/app', value: 'acme/app' }],
  ],
  [
    ...(['create_merge_request', 'source_branch', `${AT}/repository/branches?per_page=100&search=a`] as const),
    [{ name: 'a' }, { label: 'a', value: 'a' }],
  ],
  [
    ...(['create_issue', 'labels', `${AT}/labels?per_page=100&search=a`] as const),
    [{ name: 'a' }, { label: 'a', value: 'a' }],
  ],
  [
    ...(['create_issue', 'assignee_ids', `${AT}/members/all?per_page=100&query=a`] as const),
    [
      { id: 5, name: 'Ada' },
      { label: 'Ada', value: '5' },
    ],
  ],
])('offers the options of %s.%s', async (action, property, path, [item, option]) => {
  const shown = { ...setting, reply: () => json([item]) };
  const { output: found, asked } = await optionsOf(shown, [action, property], { project }, 'a');
  expect(found.options).toEqual([option]);
  expect(asked).toEqual([`GET ${path}`]);
  if (property !== 'project') expect((await optionsOf(shown, [action, property])).output.disabled).toBe(true);
});

it('tests a credential by its user, who names the connection', async () => {
  const { received, send, close } = await startThirdParty(() => json({ username: 'ada', name: 'Ada' }));
  await testCredential(gitlab, { credential, send });
  expect(await readAccount(gitlab, { credential, send })).toEqual({ data: {}, label: 'ada' });
  await close();
  expect(received.map(toLine)).toEqual(['GET /api/v4/user', 'GET /api/v4/user']);
});
