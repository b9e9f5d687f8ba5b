// Shapes: local
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentServer, agentServer, call, modern, newAgent, newToken, officialClient } from './support/agents.js';
import { approvalOf, decide, newPolicy } from './support/approvals.js';
import { type Answer, type Api } from './support/api.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { type Operations, testsOf } from './support/operation-cases.js';
import { newConnection, pathOf as integrationPath } from './support/workspace-integrations.js';

const { afterAll, afterEach, beforeAll, describe, it } = testsOf(import.meta);

export const OPERATIONS: Operations = {
  ExecuteMcpCode: {
    call: async ({ api: by, workspaceId }) => {
      const { id } = (await newServer(by, workspaceId, { mode: 'CODE' })).server;
      return { path: { id }, body: { code: 'return 1' } };
    },
    ids: { 'path.id': 'mcpServerId' },
  },
};

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const CREATE =
  "const { number } = await svc.gh.create_issue({ repo: 'acme/app', title: 'Of code' }); return { number };";
const COMMENT = "svc.gh.comment({ repo: 'acme/app', issue_number: 1, body: 'Hi' })";

let at: GithubAgent;
let api: Api;
let server: AgentServer;

beforeAll(async () => {
  at = await githubAgent();
  ({ api } = at);
  server = await agentServer(api, at.own.workspaceId, { mode: 'CODE' });
});
afterEach(() => at.github.reset());
afterAll(() => at?.github.stop());

const pathOf = (id: string): string => `${MCP_SERVERS}/${id}/execute-code`;
const post = (body: object, id = server.serverId): Promise<Answer> => api.post(pathOf(id), body);

type Execute = (body: object, of?: AgentServer) => Promise<any>;

/** The two APIs that run programs. Each function converts the response to the format of the REST response, so that tests can compare them. */
const INTERFACES: [string, Execute][] = [
  [
    'REST',
    async (body, of = server) => {
      const answer = await post(body, of.serverId);
      expect(answer).toMatchObject({ status: 200, body: { isError: expect.any(Boolean) } });
      return answer.body;
    },
  ],
  [
    'MCP',
    async (body, of = server) => {
      const { isError = false, content, structuredContent } = await call(of, 'svc_execute', body);
      return { content, isError, ...(structuredContent && { structuredContent }) };
    },
  ],
];

const valueOf = (result: any): unknown => {
  expect(result).toMatchObject({ isError: false });
  return JSON.parse(result.content[0].text);
};
const textOf = (result: any): string => result.content.map(({ text }: { text: string }) => text).join('\n');

/** Creates another MCP server in this workspace, and approval policies that apply only to the calls of this server. */
async function gatedServer(...policies: object[]): Promise<AgentServer> {
  const gated = await agentServer(api, at.own.workspaceId, { mode: 'CODE' });
  for (const policy of policies)
    await newPolicy(api, { workspaceId: at.own.workspaceId, mcpServerIds: [gated.serverId], ...policy });
  return gated;
}

describe.each(INTERFACES)('svc_execute over %s', (_, execute) => {
  it('returns the value of the program', async () => {
    expect(await execute({ code: 'return { sum: 1 + 2 }' })).toEqual({
      content: [{ type: 'text', text: '{"sum":3}' }],
      isError: false,
    });
    expect(valueOf(await execute({ code: 'const n: number = 4; return [n] as number[]' }))).toEqual([4]);
    expect(await execute({ code: '1' })).toMatchObject({ content: [{ text: expect.any(String) }], isError: false });
  });

  it('returns the console output after the value', async () => {
    const result = await execute({ code: "console.log('one', { two: 2 }); console.warn('three'); return 4" });
    expect(valueOf(result)).toBe(4);
    expect(result.content[1].text).toMatch(/^Console:\n\[log\] one .*two.*\n\[warn\] three$/);
  });

  it('calls actions concurrently, as mcp_code', async () => {
    at.github.on('*', { status: 201, body: { number: 7 } });
    const code = `const [{ result }, { number }] = await Promise.all([
      svc.hash.hash({ text: 'hello', algorithm: 'sha256' }),
      svc.gh.create_issue({ repo: 'acme/app', title: 'Of code' }),
    ]);
    return { result, number };`;
    expect(valueOf(await execute({ code }))).toEqual({ result: HELLO, number: 7 });
    expect(at.github.requests).toHaveLength(1);
    const { executions } = (await api.get(`/api/v1/executions?workspaceId=${at.own.workspaceId}&limit=1`)).body;
    expect(executions).toMatchObject([{ source: 'mcp_code', status: 'success' }]);
  });

  it.each([
    ['an unknown key', "{ text: 'a', algorithm: 'md5', colour: 1 }", /colour/],
    ['a missing key', "{ algorithm: 'md5' }", /text/],
    ['a value that is not allowed', "{ text: 'a', algorithm: 'sha3' }", /md5.*sha1.*sha256.*sha512/],
  ])('names %s of an input', async (_what, input, named) => {
    const result = await execute({ code: `return await svc.hash.hash(${input})` });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'VALIDATION_ERROR' } });
    expect(textOf(result)).toMatch(named);
    const caught = await execute({ code: `try { await svc.hash.hash(${input}) } catch (e) { return e.message }` });
    expect(valueOf(caught)).toMatch(named);
  });

  it('names an unknown action', async () => {
    const result = await execute({ code: 'return await svc.gh.nothing({})' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('gh.nothing');
  });

  it('reports the line of a syntax error and of a runtime error', async () => {
    expect(await execute({ code: 'const a = 1;\nreturn (' })).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'SYNTAX_ERROR', details: { calls: [] } } },
    });
    const failed = await execute({ code: 'const a = 1;\nreturn a.b.c' });
    expect(failed).toMatchObject({ isError: true, structuredContent: { code: 'RUNTIME_ERROR', details: { line: 2 } } });
  });

  it('lists the calls that were made before a failure', async () => {
    at.github.on('*', { status: 201, body: { number: 7 } });
    const code = `await svc.gh.create_issue({ repo: 'acme/app', title: 'Once' }); throw new Error('after')`;
    const result = await execute({ code });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        details: { calls: [{ call: 'gh.create_issue', status: 'success', executionId: expect.any(String) }] },
      },
    });
    expect(textOf(result)).toMatch(/Do not repeat those that succeeded:\ngh\.create_issue: success/);
  });

  it('continues after an approval, once, and returns the stored result again', async () => {
    at.github.on('*', { status: 201, body: { number: 9 } });
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const asked = await execute({ code: CREATE }, gated);
    const approval = {
      ...{ id: expect.stringMatching(/^apr_/), approvalUrl: expect.stringMatching(/^https?:.*\/approvals\/apr_/) },
      ...{ hostedApprovalUrl: expect.stringContaining('token=apr_link_'), expiresAt: expect.any(String) },
    };
    const { approvalId } = asked.structuredContent.continuation.arguments;
    expect(asked.isError).toBe(false);
    expect(asked.structuredContent).toEqual({
      ...{ status: 'approval_required', view: 'approval_required' },
      ...{ title: expect.any(String), description: expect.any(String), approval },
      links: [
        { kind: 'hosted_approval', label: expect.any(String), url: expect.any(String), primary: true },
        { kind: 'dashboard_approval', label: expect.any(String), url: expect.any(String), primary: false },
      ],
      continuation: { tool: 'svc_execute', arguments: { approvalId: asked.structuredContent.approval.id } },
    });
    expect((await approvalOf(api, approvalId)).inputPreview).toMatchObject({
      ...{ type: 'mcp_code_batch_run', codeRunId: expect.any(String), analysisConfidence: 'exact' },
      ...{ codeHash: expect.any(String), toolSurfaceHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await execute({ approvalId }, gated)).toMatchObject({
      ...{ isError: false, structuredContent: { status: 'approval_pending', approval: { id: approvalId } } },
    });
    expect(at.github.requests).toHaveLength(0);
    await decide(api, approvalId, 'approve');
    expect(valueOf(await execute({ approvalId }, gated))).toEqual({ number: 9 });
    expect(valueOf(await execute({ approvalId }, gated))).toEqual({ number: 9 });
    expect(at.github.requests).toHaveLength(1);
  });

  it('holds a continuation open until the decision', async () => {
    at.github.on('*', { status: 201, body: { number: 9 } });
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await execute({ code: CREATE }, gated)).structuredContent.continuation.arguments;
    const continued = execute({ approvalId, waitForApprovalSeconds: 30 }, gated);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await decide(api, approvalId, 'approve');
    expect(valueOf(await continued)).toEqual({ number: 9 });
  });

  it('ends the run when its approval is rejected', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await execute({ code: CREATE }, gated)).structuredContent.continuation.arguments;
    await decide(api, approvalId, 'reject', { reason: 'Not now' });
    for (const result of [await execute({ approvalId }, gated), await execute({ approvalId }, gated)])
      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'APPROVAL_REJECTED' } });
    expect(at.github.requests).toHaveLength(0);
  });

  it('lists the approvals of several policies, and reports them in turn', async () => {
    at.github.on('*', { status: 201, body: { number: 9 } });
    const gated = await gatedServer({ actionNames: ['create_issue'] }, { actionNames: ['comment'] });
    const code = `await svc.gh.create_issue({ repo: 'acme/app', title: 'T' }); await ${COMMENT}; return 'done'`;
    const { structuredContent: first } = await execute({ code }, gated);
    expect(first.approvals).toHaveLength(2);
    expect(first.approvals[0]).toEqual(first.approval);
    await decide(api, first.approval.id, 'approve');
    const { structuredContent: second } = await execute({ approvalId: first.approval.id }, gated);
    expect(second).toMatchObject({ status: 'approval_pending', approval: { id: first.approvals[1].id } });
    expect(second.approvals).toBeUndefined();
    await decide(api, second.approval.id, 'approve');
    expect(valueOf(await execute({ approvalId: second.approval.id }, gated))).toBe('done');
    expect(at.github.requests).toHaveLength(2);
  });

  it('cancels the other approvals of a run that has ended', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] }, { actionNames: ['comment'] });
    const code = `await svc.gh.create_issue({ repo: 'acme/app', title: 'T' }); await ${COMMENT}`;
    const [first, second] = (await execute({ code }, gated)).structuredContent.approvals;
    await decide(api, first.id, 'reject');
    expect(await execute({ approvalId: second.id }, gated)).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'APPROVAL_REJECTED' } },
    });
    await eventually(async () => {
      const ended = { status: 'canceled', decisionReason: 'The run has ended' };
      expect(await approvalOf(api, second.id)).toMatchObject(ended);
    });
    expect((await approvalOf(api, first.id)).status).toBe('rejected');
  });

  it('does not continue after a tool has changed', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await execute({ code: CREATE }, gated)).structuredContent.continuation.arguments;
    await decide(api, approvalId, 'approve');
    const tool = { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'gh' };
    const path = `${MCP_SERVERS}/${gated.serverId}/tools`;
    expect((await api.post(path, { ...tool, description: 'Another meaning' })).status).toBe(201);
    expect(await execute({ approvalId }, gated)).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'SURFACE_CHANGED' } },
    });
    expect(at.github.requests).toHaveLength(0);
  });
});

it('does not continue with another connection, not even within a second', async () => {
  const { workspaceId, integrationId, connectionId } = at.own;
  const gated = await gatedServer({ actionNames: ['create_issue'] });
  const { approvalId } = (await call(gated, 'svc_execute', { code: CREATE })).structuredContent.continuation.arguments;
  await decide(api, approvalId, 'approve');
  const path = integrationPath(workspaceId, integrationId);
  expect((await api.patch(path, { connectionId: await newConnection(api) })).status).toBe(200);
  expect(await call(gated, 'svc_execute', { approvalId })).toMatchObject({
    ...{ isError: true, structuredContent: { code: 'SURFACE_CHANGED' } },
  });
  expect(at.github.requests).toHaveLength(0);
  expect((await api.patch(path, { connectionId })).status).toBe(200);
});

it('does not continue after a partial enforces another value', async () => {
  const gated = await gatedServer({ actionNames: ['create_issue'] });
  const { workspaceId } = at.own;
  const names = { integrationName: 'github', integrationAlias: 'gh', actionName: 'create_issue', name: 'Ours' };
  const fields = { values: { repo: 'acme/app' }, enforcedKeys: ['repo'], isDefault: true };
  const { partial } = (await api.post('/api/v1/partials', { workspaceId, ...names, ...fields })).body;
  const path = `/api/v1/partials/${partial.id}`;
  // A program can start with a cached list of tools that is up to one second old, so the test tries again.
  const ask = () => call(gated, 'svc_execute', { code: "return await svc.gh.create_issue({ title: 'T' })" });
  const { approvalId } = await eventually(async () => (await ask()).structuredContent.continuation.arguments);
  await decide(api, approvalId, 'approve');
  expect((await api.patch(path, { values: { repo: 'acme/other' } })).status).toBe(200);
  expect(await call(gated, 'svc_execute', { approvalId })).toMatchObject({
    ...{ isError: true, structuredContent: { code: 'SURFACE_CHANGED' } },
  });
  expect(at.github.requests).toHaveLength(0);
  expect((await api.delete(path)).status).toBe(200);
});

describe('a continuation', () => {
  it('that waits ends when its token is revoked, and its program does not continue', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await call(gated, 'svc_execute', { code: CREATE })).structuredContent.continuation
      .arguments;
    const params = { name: 'svc_execute', arguments: { approvalId, waitForApprovalSeconds: 30 } };
    const continued = modern(gated, { method: 'tools/call', params });
    const tokens = `${MCP_SERVERS}/${gated.serverId}/tokens`;
    for (const { id } of (await api.get(tokens)).body.tokens)
      expect((await api.delete(`${tokens}/${id}`)).status).toBe(200);
    const answer = await continued;
    expect(answer).toMatchObject({ status: 401 });
    await decide(api, approvalId, 'approve');
    expect(at.github.requests).toHaveLength(0);
  });

  it('does not continue if its server is suspended just before the decision', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { approvalId } = (await call(gated, 'svc_execute', { code: CREATE })).structuredContent.continuation
      .arguments;
    const params = { name: 'svc_execute', arguments: { approvalId, waitForApprovalSeconds: 30 } };
    const continued = modern(gated, { method: 'tools/call', params });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await api.post(`${MCP_SERVERS}/${gated.serverId}/suspend`, {})).status).toBe(200);
    await decide(api, approvalId, 'approve');
    expect((await continued).body.result).toMatchObject({ isError: true, structuredContent: { code: 'FORBIDDEN' } });
    expect(at.github.requests).toHaveLength(0);
  });

  it('belongs to one server and end user', async () => {
    const gated = await gatedServer({ actionNames: ['create_issue'] });
    const { structuredContent } = await call(gated, 'svc_execute', { code: CREATE });
    const { approvalId } = structuredContent.continuation.arguments;
    const another = await newAgent(api, { workspaceId: at.own.workspaceId, serverId: gated.serverId });
    const foreign = await call({ ...gated, ...another }, 'svc_execute', { approvalId });
    expect(foreign).toMatchObject({ isError: true, structuredContent: { code: 'NOT_FOUND' } });
    expectError(await post({ approvalId }, gated.serverId), 404, 'NOT_FOUND');
    expectError(await post({ approvalId }, server.serverId), 404, 'NOT_FOUND');
  });

  it('of an end user who was deleted while the program ran is not found by a later one of that name', async () => {
    let goOn: () => void = () => undefined;
    at.github.on('*', { status: 201, body: {}, until: new Promise<void>((resolve) => void (goOn = resolve)) });
    const gated = await gatedServer({ rules: { domainDenylist: ['pause.example'] } });
    const code = "svc.gh.create_issue({ repo: 'acme/app', title: 'T', body: 'https://pause.example' })";
    const running = call(gated, 'svc_execute', { code: `${CREATE.split(';')[0]}; return await ${code}` });
    await at.github.received();
    const { workspaceId } = at.own;
    const { endUsers } = (await api.get(`/api/v1/end-users?workspaceId=${workspaceId}`)).body;
    const { id } = endUsers.find(({ externalId }: { externalId: string }) => externalId === gated.endUserId);
    expect((await api.delete(`/api/v1/end-users/${id}`)).status).toBe(200);
    // The deletion also deletes the end user's stored programs. The program must pause after that, so that it is stored for a deleted end user.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    goOn();
    const { approvalId } = (await running).structuredContent.continuation.arguments;
    await api.post('/api/v1/end-users', { workspaceId, externalId: gated.endUserId });
    const later = { ...gated, token: await newToken(api, gated.serverId, gated.endUserId) };
    // The service caches for a second that the end user does not exist.
    const answer = await eventually(async () => call(later, 'svc_execute', { approvalId }));
    expect(answer).toMatchObject({ isError: true, structuredContent: { code: 'NOT_FOUND' } });
  });

  it('finds no unknown approval', async () => {
    expectError(await post({ approvalId: `apr_${UNKNOWN_ID}` }), 404, 'NOT_FOUND');
    expect(await call(server, 'svc_execute', { approvalId: `apr_${UNKNOWN_ID}` })).toMatchObject({
      ...{ isError: true, structuredContent: { code: 'NOT_FOUND' } },
    });
  });
});

it('the official client shows its user the approval page and continues automatically', async () => {
  at.github.on('*', { status: 201, body: { number: 5 } });
  const gated = await gatedServer({ actionNames: ['create_issue'] });
  const options = { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } } as const;
  const client = await officialClient(gated, options);
  const opened: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    const { url } = params as { url: string };
    opened.push(url);
    await decide(api, /apr_[0-9a-f-]{36}/.exec(url)![0], 'approve');
    return { action: 'accept' };
  });
  const result = await client.callTool({ name: 'svc_execute', arguments: { code: CREATE } });
  expect(opened).toHaveLength(1);
  expect(valueOf({ isError: false, ...result })).toEqual({ number: 5 });
  expect(at.github.requests).toHaveLength(1);
  await client.close();
});

it('a server of one end user runs programs on their behalf', async () => {
  const { workspaceId } = at.own;
  const { id } = (await newServer(api, workspaceId, { mode: 'CODE', endUserId: server.endUserId })).server;
  const code = "return (await svc.hash.hash({ text: 'hello', algorithm: 'sha256' })).result";
  expect(valueOf((await post({ code }, id)).body)).toBe(HELLO);
  const { executions } = (await api.get(`/api/v1/executions?workspaceId=${workspaceId}&limit=1`)).body;
  expect(executions).toMatchObject([{ source: 'mcp_code', endUserId: server.endUserId }]);
});

it('docs/code-mode.md contains a first program that runs as printed', async () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/code-mode.md'), 'utf8');
  const block = /<!-- first program: a test runs this block -->\s+```sh\n(.*?)```/s.exec(page)?.[1] ?? '';
  const { baseUrl: BASE_URL, key: DRAWBRIDGE_KEY } = at.product;
  const env = { ...process.env, BASE_URL, DRAWBRIDGE_KEY };
  const { stdout } = await promisify(execFile)('sh', ['-ec', block], { env });
  const hashes = ['0cc175b9c0f1b6a831c399e269772661', '92eb5ffee6ae2fec3ad71c777531578f'];
  expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual({
    content: [{ type: 'text', text: JSON.stringify(hashes) }],
    isError: false,
  });
});
