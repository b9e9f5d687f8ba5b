// Shapes: local
import { agentServer, type AgentServer, call, officialClient } from './support/agents.js';
import { decide, newPolicy } from './support/approvals.js';
import { rowsOf } from './support/database.js';
import { githubWorkspace } from './support/github.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { webOf } from './support/web.js';
import { pathOf } from './support/workspace-integrations.js';

let at: GithubAgent;
let server: AgentServer;

beforeAll(async () => {
  at = await githubAgent();
  ({ server } = at);
});
afterEach(() => at.github.reset());
afterAll(() => at.github.stop());

const ISSUE = { repo: 'acme/app', title: 'Broken' };

describe('the official client', () => {
  it('shows its user the approval page and continues automatically', async () => {
    await newPolicy(at.api, { workspaceId: at.own.workspaceId, actionNames: ['comment'] });
    const { workspaceId } = at.own;
    const client = await officialClient(server, {
      versionNegotiation: { mode: 'auto' },
      capabilities: { elicitation: { url: {} } },
    });
    const opened: string[] = [];
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      opened.push((params as { url: string }).url);
      const waiting = (await at.api.get(`/api/v1/approvals?workspaceId=${workspaceId}&status=pending`)).body.approvals;
      await decide(at.api, waiting[0].id, 'approve');
      return { action: 'accept' };
    });
    const comment = { repo: 'acme/app', issue_number: 1, body: 'Of the client' };
    const result = await client.callTool({ name: 'gh__comment', arguments: comment });
    expect(opened.length).toBeGreaterThan(0);
    expect(result.isError).toBeFalsy();
    expect(opened[0]).toMatch(/\/approvals\/apr_[^?]+\?token=apr_link_/);
    await client.close();
  });
});

describe('a call that needs an approval', () => {
  beforeAll(async () => {
    await newPolicy(at.api, {
      workspaceId: at.own.workspaceId,
      actionNames: ['create_issue'],
      mcpServerIds: [server.serverId],
    });
    const asked = () => call(server, 'gh__create_issue', { ...ISSUE, title: 'Until it holds' });
    expect(await asked()).toMatchObject({ structuredContent: { status: 'approval_required' } });
  });

  it('returns where to approve it and how to continue, and runs once with the approved input only', async () => {
    const args = { ...ISSUE, title: 'With approval' };
    const waiting = await call(server, 'gh__create_issue', args);
    expect(waiting).toMatchObject({
      structuredContent: {
        ...{ status: 'approval_required', view: 'approval_required' },
        approval: { id: expect.stringMatching(/^apr_/), hostedApprovalUrl: expect.stringContaining('apr_link_') },
        continuation: { tool: 'svc_continue', arguments: { tool: 'gh__create_issue', arguments: args } },
      },
    });
    expect(waiting.isError).toBeUndefined();
    const { approval, continuation } = waiting.structuredContent;
    const again = (changes: object = {}) => call(server, continuation.tool, { ...continuation.arguments, ...changes });
    expect((await again()).structuredContent.approval.id).toBe(approval.id);
    expect((await again({ arguments: { ...args, title: 'Another' } })).structuredContent.code).toBe('VALIDATION_ERROR');
    expect(at.github.requests).toHaveLength(0);
    await decide(at.api, approval.id, 'approve');
    at.github.on('*', { status: 201, body: { number: 9 } });
    const results = await Promise.all([again(), again(), again()]);
    for (const result of results) expect(result).toMatchObject({ structuredContent: { number: 9 } });
    expect(at.github.requests).toHaveLength(1);
    const { status, source, mcpServerId } = (await at.api.get(`/api/v1/approvals/${approval.id}`)).body.approval;
    expect({ status, source, mcpServerId }).toEqual({
      status: 'consumed',
      source: 'mcp_tools',
      mcpServerId: server.serverId,
    });
  });

  it('runs at once on another server that the policy does not name', async () => {
    const beside = await agentServer(at.api, at.own.workspaceId);
    at.github.on('*', { status: 201, body: { number: 9 } });
    expect(await call(beside, 'gh__create_issue', ISSUE)).toMatchObject({ structuredContent: { number: 9 } });
    expect(at.github.requests).toHaveLength(1);
  });

  it('requests a page once from a client that can open pages, and a declined one is refused', async () => {
    const capabilities = { elicitation: { url: {} } };
    const asked = await call(server, 'gh__create_issue', ISSUE, { capabilities });
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        page: {
          method: 'elicitation/create',
          params: { mode: 'url', url: expect.stringContaining('/approvals/apr_') },
        },
      },
    });
    const { requestState } = asked;
    const answered = (action: string) =>
      call(server, 'gh__create_issue', ISSUE, {
        capabilities,
        params: { requestState, inputResponses: { page: { action } } },
      });
    expect(await answered('decline')).toMatchObject({ isError: true });
    expect(await answered('accept')).toMatchObject({ structuredContent: { status: 'approval_required' } });
    expect(at.github.requests).toHaveLength(0);
  });

  it('is blocked like every other call', async () => {
    await newPolicy(at.api, {
      workspaceId: at.own.workspaceId,
      actionNames: ['comment'],
      decision: 'block',
      priority: 1,
    });
    const comment = { repo: 'acme/app', issue_number: 1, body: 'x' };
    const blocked = await call(server, 'gh__comment', comment);
    expect(blocked.isError).toBe(true);
    expect(blocked.structuredContent).toMatchObject({ code: 'FORBIDDEN', details: { policyId: expect.anything() } });
  });
});

describe('a call that lacks a connection', () => {
  let each: AgentServer;
  let workspaceId: string;
  beforeAll(async () => {
    const mine = await githubWorkspace(at.api);
    ({ workspaceId } = mine);
    await at.api.patch(pathOf(mine.workspaceId, mine.integrationId), { connectionStrategy: 'per_user' });
    each = await agentServer(at.api, mine.workspaceId);
    expect((await call(each, 'gh__create_issue', ISSUE)).isError).toBe(true);
  });

  it('returns a connect link for the end user, and runs with the new connection', async () => {
    const refused = await call(each, 'gh__create_issue', ISSUE);
    const lacking = { code: 'CONNECTION_REQUIRED', details: { reason: 'not_connected' } };
    expect(refused).toMatchObject({ isError: true, structuredContent: lacking });
    // GitHub connections use OAuth by preference, but no OAuth app is configured yet, so the response has no connect link.
    expect(refused.content[0].text).toContain('OAuth app');
    expect(refused.structuredContent.details).not.toHaveProperty('connectUrl');
    const app = { integrationName: 'github', clientId: 'Iv1.client', clientSecret: 'secret-of-the-client' };
    expect((await at.api.post('/api/v1/oauth-apps', app)).status).toBe(201);

    const { structuredContent } = await call(each, 'gh__create_issue', ISSUE);
    const { connectUrl } = structuredContent.details;
    expect(connectUrl).toMatch(/\/connect\?token=cst_/);
    expect((await call(each, 'gh__create_issue', ISSUE)).structuredContent.details.connectUrl).toBe(connectUrl);
    const [web, path] = [webOf(each.baseUrl), connectUrl.slice(each.baseUrl.length)];
    expect((await web.get((await web.get(path)).to!)).status).toBe(200);
    const capabilities = { elicitation: { url: {} } };
    expect(await call(each, 'gh__create_issue', ISSUE, { capabilities })).toMatchObject({
      resultType: 'input_required',
      inputRequests: { page: { params: { mode: 'url', url: connectUrl } } },
    });
    // Calls share a pending connect session. After the user denied it, the next call must create a new session.
    const deny = `UPDATE connections.connect_sessions SET status = 'FAILED' WHERE workspace_id = $1`;
    await rowsOf(at.product.databaseUrl, deny, [workspaceId]);
    const next = (await call(each, 'gh__create_issue', ISSUE)).structuredContent.details;
    expect([next.connectUrl === connectUrl, /\?token=cst_/.test(next.connectUrl)]).toEqual([false, true]);
    const owned = { scope: 'USER', workspaceId, endUserId: each.endUserId, externalId: 'gh', displayName: 'Own' };
    const credential = { integrationName: 'github', type: 'SECRET_TEXT', secretText: 'ghp_of_the_end_user' };
    expect((await at.api.post('/api/v1/connections', { ...owned, ...credential })).status).toBe(201);
    at.github.reset();
    await call(each, 'gh__create_issue', ISSUE);
    expect(at.github.requests[0]?.headers['authorization']).toBe('Bearer ghp_of_the_end_user');
  });
});
