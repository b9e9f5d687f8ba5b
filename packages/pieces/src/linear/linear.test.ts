import { readFileSync } from 'node:fs';
import { testCredential, type JsonObject, type JsonValue } from '@drawbridge/piece-kit';
import { buildSchema } from 'graphql';
import { checkGraphql } from '../../testing/check-graphql.js';
import { json, optionsOf, runPiece, toLine } from '../../testing/run-piece.js';
import { startThirdParty, type Recorded, type Reply } from '../../testing/third-party.js';
import { itIsAccepted } from '../../testing/witness.js';
import * as documents from './documents.js';
import { linear } from './index.js';

const schema = buildSchema(readFileSync(new URL('./linear.fixture.graphql', import.meta.url), 'utf8'));
const check = (request: Recorded): string[] => checkGraphql(schema, request);
const credential = { type: 'OAUTH2', accessToken: 'lin_oauth_canary', tokenType: 'Bearer' } as const;
const setting = { piece: linear, credential, reply: () => json({ data: { issue: { id: 'i1' } } }) };

const asks = (query: string, variables: object): string => `POST /graphql ${JSON.stringify({ query, variables })}`;
const issue = {
  ...{ title: 'Broken', description: 'Text', stateId: 's1', assigneeId: 'u1', labelIds: ['l1'], priority: 2 },
  ...{ projectId: 'p1', parentId: 'ENG-1', dueDate: '2026-01-31', estimate: 3 },
};
const project = {
  ...{ name: 'Tea', teamIds: ['t1', 't2'], description: 'Short', content: 'Long', leadId: 'u1', priority: 0 },
  ...{ startDate: '2026-01-01', targetDate: '2026-02-01' },
};

const { teamIds: _teamIds, ...changedProject } = project;

describe('requests', () => {
  itIsAccepted(setting, check, {
    create_issue: [
      [{ teamId: 't1', title: 'Broken' }, asks(documents.ISSUE_CREATE, { input: { teamId: 't1', title: 'Broken' } })],
      [{ teamId: 't1', ...issue }, asks(documents.ISSUE_CREATE, { input: { teamId: 't1', ...issue } })],
    ],
    update_issue: [
      [{ id: 'ENG-123' }, asks(documents.ISSUE_UPDATE, { id: 'ENG-123', input: {} })],
      [
        { id: 'ENG-123', teamId: 't1', ...issue },
        asks(documents.ISSUE_UPDATE, { id: 'ENG-123', input: { teamId: 't1', ...issue } }),
      ],
    ],
    comment: [
      [
        { issueId: 'ENG-123', body: 'Yes' },
        asks(documents.COMMENT_CREATE, { input: { issueId: 'ENG-123', body: 'Yes' } }),
      ],
      [
        { issueId: 'ENG-123', body: 'Yes', parentId: 'c1' },
        asks(documents.COMMENT_CREATE, { input: { issueId: 'ENG-123', body: 'Yes', parentId: 'c1' } }),
      ],
    ],
    search: [
      [{ term: 'crash' }, asks(documents.SEARCH_ISSUES, { term: 'crash', first: 50 })],
      [
        { term: 'crash', teamId: 't1', includeComments: true, includeArchived: false, limit: 7 },
        asks(documents.SEARCH_ISSUES, {
          ...{ term: 'crash', teamId: 't1', includeComments: true, includeArchived: false, first: 7 },
        }),
      ],
    ],
    list_projects: [
      [{}, asks(documents.PROJECTS, { first: 50 })],
      [
        { teamId: 't1', includeArchived: true, limit: 500 },
        asks(documents.TEAM_PROJECTS, { teamId: 't1', includeArchived: true, first: 50 }),
      ],
    ],
    create_project: [
      [{ name: 'Tea', teamIds: ['t1'] }, asks(documents.PROJECT_CREATE, { input: { name: 'Tea', teamIds: ['t1'] } })],
      [project, asks(documents.PROJECT_CREATE, { input: project })],
    ],
    get_issue: [[{ id: 'ENG-1' }, asks(documents.GET_ISSUE, { id: 'ENG-1' })]],
    list_issues: [
      [{}, asks(documents.ISSUES, { filter: {}, first: 50 })],
      [
        { teamId: 't1', stateId: 's1', assigneeId: 'u1', projectId: 'p1', priority: 2, limit: 7 },
        asks(documents.ISSUES, {
          filter: {
            ...{ team: { id: { eq: 't1' } }, state: { id: { eq: 's1' } }, assignee: { id: { eq: 'u1' } } },
            ...{ project: { id: { eq: 'p1' } }, priority: { eq: 2 } },
          },
          first: 7,
        }),
      ],
    ],
    list_teams: [
      [{}, asks(documents.TEAMS, { first: 50 })],
      [{ limit: 7 }, asks(documents.TEAMS, { first: 7 })],
    ],
    list_users: [
      [{}, asks(documents.USERS, { first: 50 })],
      [{ limit: 7 }, asks(documents.USERS, { first: 7 })],
    ],
    add_link: [
      [
        { issueId: 'ENG-1', url: 'https://x.example' },
        asks(documents.ATTACH_LINK, { issueId: 'ENG-1', url: 'https://x.example' }),
      ],
      [
        { issueId: 'ENG-1', url: 'https://x.example', title: 'X' },
        asks(documents.ATTACH_LINK, { issueId: 'ENG-1', url: 'https://x.example', title: 'X' }),
      ],
    ],
    update_project: [
      [{ id: 'p1' }, asks(documents.PROJECT_UPDATE, { id: 'p1', input: {} })],
      [{ id: 'p1', ...changedProject }, asks(documents.PROJECT_UPDATE, { id: 'p1', input: changedProject })],
    ],
    archive_issue: [[{ id: 'ENG-1' }, asks(documents.ISSUE_ARCHIVE, { id: 'ENG-1' })]],
  });

  it('are refused with a misspelt key in the input', async () => {
    const { received } = await runPiece(setting, 'create_issue', { teamId: 't1', title: 'Broken' });
    const misspelt = received.map((request) => ({ ...request, body: request.body.replace('"title":', '"tittle":') }));
    expect(misspelt.flatMap(check).join()).toContain('Field "tittle" is not defined by type "IssueCreateInput"');
  });
});

it('returns the result of a mutation', async () => {
  const reply = () => json({ data: { issueCreate: { success: true, issue: { id: 'i1', identifier: 'ENG-1' } } } });
  const { output } = await runPiece({ ...setting, reply }, 'create_issue', { teamId: 't1', title: 'Broken' });
  expect(output).toEqual({ id: 'i1', identifier: 'ENG-1' });
  const nothing = { ...setting, reply: () => json({ data: { issueUpdate: { success: false } } }) };
  await expect(runPiece(nothing, 'update_issue', { id: 'ENG-1' })).rejects.toThrow('Linear did not apply the change');
});

it('returns an issue with its comments, and says that one does not exist', async () => {
  const issue = { id: 'i1', identifier: 'ENG-1', comments: { nodes: [{ id: 'c1', body: 'Yes' }] } };
  const shown = { ...setting, reply: () => json({ data: { issue } }) };
  expect((await runPiece(shown, 'get_issue', { id: 'ENG-1' })).output).toEqual({
    ...{ id: 'i1', identifier: 'ENG-1', comments: [{ id: 'c1', body: 'Yes' }] },
  });
  const none = { ...setting, reply: () => json({ data: { issue: null } }) };
  await expect(runPiece(none, 'get_issue', { id: 'ENG-1' })).rejects.toMatchObject({ property: 'id' });
});

/** Returns fake connections. The next request sends `endCursor` as `after`. */
function asLinear(connections: Record<string, [path: string[], nodes: JsonValue[]]>): (request: Recorded) => Reply {
  return ({ body }) => {
    const { query, variables } = JSON.parse(body) as { query: string; variables: { first: number; after?: string } };
    const [path, nodes] = connections[/query (\w+)/.exec(query)?.[1] ?? ''] ?? [[], []];
    const to = Number(variables.after ?? 0) + variables.first;
    const pageInfo = { hasNextPage: to < nodes.length, endCursor: String(to) };
    const connection: JsonValue = { nodes: nodes.slice(Number(variables.after ?? 0), to), pageInfo };
    return json({ data: path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), connection) });
  };
}

const times = (count: number): JsonObject[] =>
  Array.from({ length: count }, (_, index) => ({ id: `p${index}`, name: `Project ${index}` }));

it.each<[string, JsonObject, string, string[]]>([
  ['the workspace', {}, 'Projects', ['projects']],
  ['a team', { teamId: 't1' }, 'TeamProjects', ['team', 'projects']],
])('collects the projects of %s page by page up to the limit', async (_, input, name, path) => {
  const reply = asLinear({ [name]: [path, times(120)] });
  const { output, received } = await runPiece({ ...setting, reply }, 'list_projects', { ...input, limit: 70 });
  expect(output.items).toHaveLength(70);
  expect(received).toHaveLength(2);
  expect(received.flatMap(check)).toEqual([]);
});

describe('options', () => {
  const person = (id: string, active = true): JsonObject => ({ id, name: id, email: `${id}@acme.example`, active });
  const reply = asLinear({
    Teams: [['teams'], [{ id: 't1', key: 'ENG', name: 'Engineering' }]],
    States: [['team', 'states'], [{ id: 's1', name: 'Todo' }]],
    Labels: [
      ['issueLabels'],
      [
        { id: 'l1', name: 'Bug', isGroup: false, team: null },
        { id: 'l2', name: 'API', isGroup: false, team: { id: 't1' } },
        { id: 'l3', name: 'Other', isGroup: false, team: { id: 't2' } },
        { id: 'l4', name: 'Group', isGroup: true, team: null },
      ],
    ],
    Users: [['users'], [person('ann'), person('gone', false), person('bo')]],
    Members: [['team', 'members'], [person('ann')]],
    Projects: [['projects'], times(150)],
    TeamProjects: [['team', 'projects'], times(1)],
  });
  const offered = async (property: string, input: JsonObject = {}) => {
    const { output, received } = await optionsOf({ ...setting, reply }, ['create_issue', property], input);
    expect(received.flatMap(check)).toEqual([]);
    return output;
  };
  const teamId = 't1';

  it('list teams, and the states of the selected team', async () => {
    expect((await offered('teamId')).options).toEqual([{ label: 'Engineering (ENG)', value: 't1' }]);
    expect((await offered('stateId', { teamId })).options).toEqual([{ label: 'Todo', value: 's1' }]);
    expect(await offered('stateId')).toEqual({ options: [], disabled: true });
  });

  it('list labels of the workspace and of the selected team', async () => {
    expect((await offered('labelIds', { teamId })).options.map(({ label }) => label)).toEqual(['Bug', 'API']);
    expect((await offered('labelIds')).options.map(({ label }) => label)).toEqual(['Bug']);
  });

  it('list active users of the team or of the workspace', async () => {
    const ann = { label: 'ann (ann@acme.example)', value: 'ann' };
    expect((await offered('assigneeId', { teamId })).options).toEqual([ann]);
    expect((await offered('assigneeId')).options).toEqual([ann, { label: 'bo (bo@acme.example)', value: 'bo' }]);
  });

  it('list projects over several pages', async () => {
    expect((await offered('projectId')).options).toHaveLength(150);
    expect((await offered('projectId', { teamId })).options).toHaveLength(1);
  });
});

describe('a failure', () => {
  const failing = (status: number, extensions: JsonObject) =>
    runPiece(
      { ...setting, reply: () => json({ data: null, errors: [{ message: 'Entity not found', extensions }] }, status) },
      'comment',
      { issueId: 'ENG-1', body: 'x' },
    );

  it.each<[number, JsonObject, object]>([
    [200, { code: 'INPUT_ERROR' }, { code: 'INPUT_ERROR', message: 'Entity not found', retryable: false }],
    [200, { userPresentableMessage: 'No such issue' }, { message: 'No such issue' }],
    [400, { code: 'RATELIMITED' }, { code: 'RATELIMITED', retryable: true }],
    [400, { code: 'AUTHENTICATION_ERROR' }, { code: 'AUTHENTICATION_ERROR', retryable: false }],
  ])('is detected in status %i with %j', async (status, extensions, failure) => {
    await expect(failing(status, extensions)).rejects.toMatchObject({ name: 'ProviderError', status, ...failure });
  });

  it('also fails the options of a form', async () => {
    const reply = () => json({ errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] });
    await expect(optionsOf({ ...setting, reply }, ['create_issue', 'teamId'])).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

it.each([
  [credential, 'Bearer lin_oauth_canary'],
  [{ type: 'SECRET_TEXT', secretText: 'lin_api_canary' } as const, 'lin_api_canary'],
])('authenticates with %j', async (given, authorization) => {
  const { received, send, close } = await startThirdParty(() => json({ data: { viewer: { id: 'u1' } } }));
  await testCredential(linear, { credential: given, send });
  await close();
  expect(received[0]?.headers).toMatchObject({ authorization });
  expect(received.map(toLine)).toEqual([asks(documents.VIEWER, {})]);
  expect(received.flatMap(check)).toEqual([]);
});
