// Shapes: local; in full: processes
import { type Answer, type Api, apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectWithinASecond } from './support/expect-within.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { createServer, MCP_SERVERS } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { provider } from './support/provider.js';

const { afterAll, beforeAll, beforeEach, describe, it } = testsOf(import.meta);

async function suspended(path: string, id: string, by: Api): Promise<{ path: { id: string } }> {
  await by.post(`/api/v1/${path}/${id}/suspend`);
  return { path: { id } };
}

export const OPERATIONS: Operations = {
  SuspendWorkspace: { call: async ({ api: by }) => ({ path: { id: (await githubWorkspace(by)).workspaceId } }) },
  ResumeWorkspace: {
    call: async ({ api: by }) => suspended('workspaces', (await githubWorkspace(by)).workspaceId, by),
  },
  SuspendConnection: {
    call: async ({ api: by }) => ({ path: { id: (await githubWorkspace(by)).connectionId } }),
    ids: { 'path.id': 'connectionId' },
  },
  ResumeConnection: {
    call: async ({ api: by }) => suspended('connections', (await githubWorkspace(by)).connectionId, by),
    ids: { 'path.id': 'connectionId' },
  },
};

let api: Api;
let apis: Api[];
let github: GithubWorkspace;
let stop: () => Promise<void>;

beforeAll(async () => {
  const product = await drawbridge();
  const thirdParty = await provider();
  thirdParty.on('GET /user/repos', { body: [{ full_name: 'acme/app' }] });
  ({ stop } = thirdParty);
  api = product.api;
  apis = product.baseUrls.map((url) => apiOf(url, product.key));
});
afterAll(() => stop());
beforeEach(async () => void (github = await githubWorkspace(api)));

function expectSuspended(answer: Answer): void {
  expectError(answer, 403, 'FORBIDDEN');
  expect(answer.body.details).toEqual({ reason: 'suspended' });
}

const workspace = (): string => `/api/v1/workspaces/${github.workspaceId}`;
const connection = (): string => `/api/v1/connections/${github.connectionId}`;

/** Every call that uses a workspace, except reading, deleting and resuming it. */
const INSIDE: [string, (by: Api) => Promise<Answer>][] = [
  ['changing it', (by) => by.patch(workspace(), { name: 'Other' })],
  ['listing its integrations', (by) => by.get(`${workspace()}/integrations`)],
  [
    'configuring an integration',
    (by) => by.post(`${workspace()}/integrations`, { integrationName: 'http', alias: 'h' }),
  ],
  [
    'changing an integration',
    (by) => by.patch(`${workspace()}/integrations/${github.integrationId}`, { alias: 'other' }),
  ],
  ['removing an integration', (by) => by.delete(`${workspace()}/integrations/${github.integrationId}`)],
  [
    'resolving a connection',
    (by) => by.post('/api/v1/connections/resolve', { integrationName: 'github', workspaceId: github.workspaceId }),
  ],
  [
    'adding a connection',
    (by) =>
      by.post('/api/v1/connections', {
        ...{ type: 'SECRET_TEXT', secretText: 'ghp_0123456789', integrationName: 'github' },
        ...{ externalId: 'suspended', displayName: 'X', scope: 'WORKSPACE', workspaceId: github.workspaceId },
      }),
  ],
  [
    'adding a member',
    async (by) => {
      const memberId = (await by.get('/api/v1/members')).body.members[0].id;
      return by.post('/api/v1/workspace-members', { workspaceId: github.workspaceId, memberId });
    },
  ],
  ['listing its runs', (by) => by.get(`/api/v1/executions?workspaceId=${github.workspaceId}`)],
  ['executing', (by) => by.post('/api/v1/actions/execute', github.createIssue)],
  [
    'listing and creating MCP servers',
    async (by) => {
      const { workspaceId } = github;
      await by.get(`${MCP_SERVERS}?workspaceId=${workspaceId}`);
      return createServer(by, workspaceId);
    },
  ],
  [
    'lookups, partials and explanations',
    (by) => {
      const { workspaceId, createIssue } = github;
      const repo = { workspaceId, integrationAlias: 'gh', actionName: 'create_issue', propertyName: 'repo' };
      return alike([
        by.post('/api/v1/integrations/github/properties/options', repo),
        by.post('/api/v1/actions/explain', createIssue),
        by.get(`/api/v1/partials?workspaceId=${workspaceId}`),
      ]);
    },
  ],
];

/** Expects that all responses have the same status and code. Returns the first response. */
async function alike(asked: Promise<Answer>[]): Promise<Answer> {
  const answers = await Promise.all(asked);
  const shown = answers.map(({ status, body }) => [status, body.code]);
  expect(shown).toEqual(shown.map(() => shown[0]));
  return answers[0]!;
}

describe('a suspended workspace', () => {
  it('returns the time, is listed only on request, and can be read and deleted', async () => {
    const { status, body } = await api.post(`${workspace()}/suspend`);
    expect({ status, suspendedAt: body.workspace.suspendedAt }).toEqual({
      status: 200,
      suspendedAt: expect.any(String),
    });
    expect((await api.post(`${workspace()}/suspend`)).body).toEqual(body);
    expect((await api.get(workspace())).body).toEqual(body);
    const listed = async (query: string): Promise<string[]> =>
      (await api.get(`/api/v1/workspaces?limit=100${query}`)).body.workspaces.map(({ id }: { id: string }) => id);
    expect(await listed('')).not.toContain(github.workspaceId);
    expect(await listed('&includeSuspended=true')).toContain(github.workspaceId);
    expect((await api.delete(workspace())).status).toBe(200);
  });

  it.each(INSIDE)('refuses %s, at every gateway within a second, until it is resumed', async (_what, ask) => {
    expect((await ask(api)).status).toBeLessThan(300);
    github = await githubWorkspace(api);
    // Each gateway caches the workspace, so that the test detects a gateway that uses the cached workspace for too long.
    for (const by of apis) expect((await by.post('/api/v1/actions/execute', github.createIssue)).status).toBe(200);
    await api.post(`${workspace()}/suspend`);
    for (const by of apis) await expectWithinASecond(async () => expectSuspended(await ask(by)));
    const { status, body } = await api.post(`${workspace()}/resume`);
    expect({ status, suspendedAt: body.workspace.suspendedAt }).toEqual({ status: 200, suspendedAt: null });
    await expectWithinASecond(async () => expect((await ask(apis.at(-1)!)).status).toBeLessThan(300));
  });

  it('answers 404 for an unknown id', async () => {
    for (const verb of ['suspend', 'resume'])
      expectError(await api.post(`/api/v1/workspaces/${UNKNOWN_ID}/${verb}`), 404, 'NOT_FOUND');
  });
});

describe('a suspended connection', () => {
  it('is unused at every gateway within a second, and used again after it is resumed', async () => {
    const execute = (by: Api): Promise<Answer> => by.post('/api/v1/actions/execute', github.createIssue);
    for (const by of apis) expect((await execute(by)).status).toBe(200);
    const { body } = await api.post(`${connection()}/suspend`);
    expect(body.connection.suspendedAt).toEqual(expect.any(String));
    for (const by of apis)
      await expectWithinASecond(async () => {
        const refused = await execute(by);
        expectError(refused, 400, 'CONNECTION_REQUIRED');
        expect(refused.body.details).toMatchObject({ reason: 'suspended' });
      });
    expect((await api.post(`${connection()}/resume`)).body.connection.suspendedAt).toBeNull();
    for (const by of apis) await expectWithinASecond(async () => expect((await execute(by)).status).toBe(200));
  });

  it('answers the same when the request is repeated', async () => {
    const first = (await api.post(`${connection()}/suspend`)).body;
    expect((await api.post(`${connection()}/suspend`)).body).toEqual(first);
    const resumed = (await api.post(`${connection()}/resume`)).body;
    expect((await api.post(`${connection()}/resume`)).body).toEqual(resumed);
  });
});
