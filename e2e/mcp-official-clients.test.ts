// Shapes: none; in full: local
import { type AgentServer, agentServer, LEGACY, MODERN } from './support/agents.js';
import { decide, newPolicy } from './support/approvals.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { describeMcpClients } from './support/mcp-clients.js';
import { aiSdk, inspector, mcpRemote, pythonClient, type Use } from './support/official-clients.js';

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

  const USES: [string, Use][] = [
    [`the Python client of ${MODERN}`, pythonClient(clients, MODERN)],
    [`the Python client of ${LEGACY}`, pythonClient(clients, LEGACY)],
    ['the inspector', inspector(clients)],
    ['mcp-remote', mcpRemote(clients)],
    ['the AI SDK', aiSdk(clients)],
  ];

  it.each(USES)('lists, calls, and continues after an approval: %s', async (_, use) => {
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

  describe('of a server of mode CODE', () => {
    let server: AgentServer;

    beforeAll(async () => {
      server = await agentServer(at.api, at.own.workspaceId, { mode: 'CODE' });
    });

    it.each(USES)('searches, reads, executes, and resumes after an approval: %s', async (_, use) => {
      const found = await use(server, 'svc_search', { query: 'create an issue' });
      expect(found.tools).toEqual(['svc_search', 'svc_read_api', 'svc_execute']);
      const { path } = JSON.parse(found.result.content[0].text).actions[0];
      expect(path).toBe('gh.create_issue');
      const read = await use(server, 'svc_read_api', { names: [path] });
      expect(read.result.content[0].text).toContain('create_issue(input:');

      const code = `const hashed = await svc.hash.hash({ text: 'a', algorithm: 'md5' });
        const { number } = await svc.${path}(${JSON.stringify(ISSUE)});
        return { number, hash: hashed.result };`;
      const waits = await use(server, 'svc_execute', { code });
      expect(waits.result).toMatchObject({ structuredContent: { status: 'approval_required' } });
      const { approval, continuation } = waits.result.structuredContent;
      await decide(at.api, approval.id, 'approve');
      at.github.on('*', { status: 201, body: { number: 9 } });
      const { result } = await use(server, continuation.tool, continuation.arguments);
      expect(JSON.parse(result.content[0].text)).toEqual({ number: 9, hash: '0cc175b9c0f1b6a831c399e269772661' });
      expect(at.github.requests).toHaveLength(1);
    });
  });
});
