// Shapes: local
import { call, modern, newAgent, newToken } from './support/agents.js';
import { decide } from './support/approvals.js';
import { api, at, CREATE, gatedServer, openCodeAgent, post, server } from './support/code-agent.js';
import { eventually } from './support/eventually.js';
import { expectError, UNKNOWN_ID } from './support/expect.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { newConnection, pathOf as integrationPath } from './support/workspace-integrations.js';

beforeAll(openCodeAgent);
afterEach(() => at.github.reset());
afterAll(() => at?.github.stop());

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
