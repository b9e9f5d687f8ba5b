// Shapes: local
import { readFileSync } from 'node:fs';
import { type FakeProvider } from '@drawbridge/testkit';
import { agentServer, call, modern } from './support/agents.js';
import { type Answer, type Api } from './support/api.js';
import { newPolicy } from './support/approvals.js';
import { drawbridge } from './support/drawbridge.js';
import { expectError, expectInvalid } from './support/expect.js';
import { expectWithinASecond } from './support/expect-within.js';
import { githubWorkspace, type GithubWorkspace } from './support/github.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { provider as playProvider } from './support/provider.js';
import { pathOf } from './support/workspace-integrations.js';

const EXECUTE = '/api/v1/actions/execute';
/** The call in docs/pieces.md, so that the test verifies the documented example. */
const DOCS = readFileSync(new URL('../docs/pieces.md', import.meta.url), 'utf8');
const { input: READ, actionName } = JSON.parse(/```json\n(.+)\n```/.exec(DOCS)![1]!);
const WRITE = { method: 'PUT', path: '/repos/acme/app/topics', json: { names: ['go'] } };

let api: Api;
let provider: FakeProvider;
let github: GithubWorkspace;

beforeAll(async () => {
  ({ api } = await drawbridge());
  provider = await playProvider();
});
afterAll(() => provider?.stop());
beforeEach(async () => {
  provider.reset();
  github = await githubWorkspace(api);
});

const enable = async (enabledActions: string[] | null = ['request', 'create_issue']): Promise<unknown> =>
  api.patch(pathOf(github.workspaceId, github.integrationId), { enabledActions });
const request = (input: object, fields: object = {}): Promise<Answer> =>
  api.post(EXECUTE, { ...github.createIssue, actionName, input, ...fields });
const sent = (): string[] =>
  provider.requests
    .filter(({ headers }) => headers['authorization'] === `Bearer ${github.secret}`)
    .map(({ method, url }) => `${method} ${url}`);

describe('the action request', () => {
  it('is not available where enabledActions does not name it', async () => {
    for (const enabled of [null, ['create_issue']]) {
      await enable(enabled);
      expectError(await request(READ), 403, 'FORBIDDEN');
    }
    expect(sent()).toEqual([]);
  });

  it('is refused without a configured integration, even with a connection', async () => {
    await api.delete(pathOf(github.workspaceId, github.integrationId));
    const { body } = await api.get(`/api/v1/connections?id=${github.connectionId}`);
    const named = { integrationAlias: undefined, connectionExternalId: body.connection.externalId };
    await expectWithinASecond(async () => {
      const refused = await request(READ, named);
      expectError(refused, 403, 'FORBIDDEN');
      expect(refused.body.error).toBe('request must be enabled in enabledActions of a configured integration');
    });
    expect((await api.post(EXECUTE, { ...github.createIssue, ...named })).body.code).not.toBe('FORBIDDEN');
    expect(sent()).toEqual(['POST /repos/acme/app/issues']);
  });

  it('sends any request with the credential, and returns the response', async () => {
    await enable();
    provider.on('PUT /repos/acme/app/topics', { body: { names: ['go'], token: github.secret } });
    const { status, body } = await request(WRITE);
    expect({ status, output: body.output }).toMatchObject({
      status: 200,
      output: { status: 200, body: { names: ['go'] } },
    });
    expect(JSON.stringify(body)).not.toContain(github.secret);
    expect(sent()).toEqual(['PUT /repos/acme/app/topics']);
  });

  it.each([
    ['a URL', { ...READ, path: 'https://evil.example/x' }],
    ['a path without a slash', { ...READ, path: 'user' }],
    ['a path with a backslash', { ...READ, path: '/\\evil.example' }],
    ['a path that leaves the API', { ...READ, path: '/../x' }],
    ['a long path', { ...READ, path: `/${'../'.repeat(150_000)}` }],
  ])('refuses %s', async (_, input) => {
    await enable();
    expectInvalid(await request(input), 'input.path');
    expect(sent()).toEqual([]);
  });

  it('does not set the connection to ERROR if the chosen endpoint answers 401', async () => {
    await enable();
    provider.on('GET /repos/acme/app/topics', { status: 401, body: { message: 'Requires authentication' } });
    expectError(await request(READ), 400, 'ACTION_FAILED');
    const { body } = await api.get(`/api/v1/connections?id=${github.connectionId}`);
    expect(body.connection.status).toBe('ACTIVE');
  });

  it('is read by GET and admin otherwise for policies', async () => {
    await enable();
    const { workspaceId } = github;
    const rule = { rules: { actionCategories: ['admin'] } };
    await newPolicy(api, { workspaceId, decision: 'block', ...rule });
    expect((await request(READ)).status).toBe(200);
    expectError(await request(WRITE), 403, 'FORBIDDEN');
    const context = { workspaceId, integrationName: 'github', actionName: 'request' };
    const decisions = await Promise.all(
      [READ, WRITE].map((input) =>
        api.post('/api/v1/approval-policies/test', {
          policy: { decision: 'block', ...rule },
          context: { ...context, input },
        }),
      ),
    );
    expect(decisions.map(({ body }) => body.decision)).toEqual(['allow', 'block']);
    expect(sent()).toEqual(['GET /repos/acme/app/topics']);
  });
});

it('an MCP server offers request only where the workspace enables it', async () => {
  const server = await agentServer(api, github.workspaceId);
  const names = async (): Promise<string[]> =>
    (await modern(server)).body.result.tools.map(({ name }: { name: string }) => name);
  expect(await names()).toContain('gh__create_issue');
  expect(await names()).not.toContain('gh__request');
  const tool = { integrationName: 'github', actionName: 'request', integrationAlias: 'raw' };
  const added = await api.post(`${MCP_SERVERS}/${server.serverId}/tools`, tool);
  expect(added.status).toBe(201);
  expect(await names()).not.toContain('raw__request');
  await enable();
  await expectWithinASecond(async () =>
    expect(await names()).toEqual(expect.arrayContaining(['gh__request', 'raw__request'])),
  );
  expect((await call(server, 'gh__request', READ)).structuredContent).toMatchObject({ status: 200 });
  expect((await call(server, 'raw__request', READ)).structuredContent).toMatchObject({ status: 200 });
});
