// Shapes: none; in full: local
import { LEGACY, MODERN } from './support/agents.js';
import { decide, newPolicy } from './support/approvals.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { describeMcpClients } from './support/mcp-clients.js';
import { inspector, mcpRemote, pythonClient, type Use } from './support/official-clients.js';

const ISSUE = { repo: 'acme/app', title: 'Broken' };

describeMcpClients('a third-party MCP client', (clients) => {
  let at: GithubAgent;

  beforeAll(async () => {
    at = await githubAgent();
    const { workspaceId } = at.own;
    await newPolicy(at.api, { workspaceId, actionNames: ['create_issue'] });
    expect((await at.api.post('/api/v1/actions/execute', at.own.createIssue)).status).toBe(202);
  });
  afterEach(() => at.github.reset());
  afterAll(() => at?.github.stop());

  it.each<[string, Use]>([
    [`the Python client of ${MODERN}`, pythonClient(clients, MODERN)],
    [`the Python client of ${LEGACY}`, pythonClient(clients, LEGACY)],
    ['the inspector', inspector(clients)],
    ['mcp-remote', mcpRemote(clients)],
  ])('lists, calls, and continues after an approval: %s', async (_, use) => {
    const waits = await use(at.server, 'gh__create_issue', ISSUE);
    expect(waits.tools).toEqual(expect.arrayContaining(['gh__create_issue', 'hash__hash', 'svc_continue']));
    expect(waits.result).toMatchObject({ structuredContent: { status: 'approval_required' } });
    const { approval, continuation } = waits.result.structuredContent;
    await decide(at.api, approval.id, 'approve');
    at.github.on('*', { status: 201, body: { number: 9 } });
    const { result } = await use(at.server, continuation.tool, continuation.arguments);
    expect(result).toMatchObject({ structuredContent: { number: 9 } });
    expect(at.github.requests).toHaveLength(1);
  });
});
