// Shapes: local
import { type AgentServer, agentServer, call } from './support/agents.js';
import { type GateOutcomes, gateOutcomes, OUTCOMES } from './support/gate-outcomes.js';
import { type GithubAgent, githubAgent } from './support/github-agent.js';
import { newPolicy } from './support/approvals.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { newConnection, newIntegration } from './support/workspace-integrations.js';

const TOOL = { integrationName: 'github', actionName: 'create_issue', integrationAlias: 'gh' };
const REPO = 'acme/app';

/** A variant of a tool that results in the same call: the values that the tool enforces, and the arguments that the agent supplies. */
interface Way {
  name: string;
  /** The fields of a tool that the MCP server defines. If absent, the agent calls the tool of the workspace's integration. */
  tool?: (title: string) => object;
  args: (title: string) => object;
}

let at: GithubAgent;
let gate: GateOutcomes;

const whole = (title: string): object => ({ repo: REPO, title });
const rest = (): object => ({ repo: REPO });
const WAYS: Way[] = [
  { name: 'by a tool of the workspace', args: whole },
  { name: 'by a tool of its own', tool: () => ({}), args: whole },
  { name: 'by a tool with a connection', tool: () => ({ connectionId: at.own.connectionId }), args: whole },
  { name: 'by a default of the tool', tool: (title) => ({ inputDefaults: { title } }), args: rest },
  { name: 'over a default of the tool', tool: () => ({ inputDefaults: { title: 'free' } }), args: whole },
  { name: 'by a partial', tool: (title) => ({ partialIds: [gate.partials[title]![0]] }), args: rest },
  {
    name: 'forced by a partial',
    tool: (title) => ({ partialIds: [gate.partials[title]![1]], inputDefaults: { title: 'free' } }),
    args: rest,
  },
];

beforeAll(async () => {
  at = await githubAgent();
  gate = await gateOutcomes(at.api, at.own);
  expect(await call(at.server, 'gh__create_issue', whole(OUTCOMES[0]![0]))).toMatchObject(BLOCKED);
});
afterAll(() => at?.github.stop());

const BLOCKED = { isError: true, structuredContent: { code: 'FORBIDDEN' } };
const EXPECTED: Record<string, (policyId: string | undefined) => object> = {
  block: (policyId) => ({ isError: true, structuredContent: { code: 'FORBIDDEN', details: { policyId } } }),
  require_approval: () => ({ structuredContent: { status: 'approval_required' } }),
};

async function serverOf({ tool }: Pick<Way, 'tool'>, title: string): Promise<AgentServer> {
  const server = await agentServer(at.api, at.own.workspaceId);
  if (!tool) return server;
  const { status, body } = await at.api.post(`${MCP_SERVERS}/${server.serverId}/tools`, { ...TOOL, ...tool(title) });
  expect({ status, body }).toMatchObject({ status: 201 });
  return server;
}

it.each(OUTCOMES)('%s results in %s, however an agent passes its input', async (title, decision) => {
  const servers = await Promise.all(WAYS.map((way) => serverOf(way, title)));
  at.github.reset();
  at.github.on('*', { status: 201, body: { number: 1 } });
  for (const [index, { name, args }] of WAYS.entries()) {
    const result = await call(servers[index]!, 'gh__create_issue', args(title));
    expect({ name, result }).toMatchObject({ name, result: EXPECTED[decision]?.(gate.policyIds[decision]) ?? {} });
    if (!EXPECTED[decision]) expect({ name, isError: result.isError }).toEqual({ name, isError: undefined });
  }
  const sent = at.github.requests.filter(({ body }) => body?.title === title);
  expect(sent).toHaveLength(EXPECTED[decision] ? 0 : WAYS.length);
});

it('integrationAliases match the alias of the tool and that of its configured integration', async () => {
  const { workspaceId } = at.own;
  const server = await serverOf({ tool: () => ({ integrationAlias: 'bugs' }) }, '');
  const blockedBy = async (alias: string): Promise<unknown> => {
    const policy = { decision: 'block', priority: 0, sources: ['mcp_tools'], integrationAliases: [alias] };
    const { id } = await newPolicy(at.api, { workspaceId, ...policy });
    const result = await call(server, 'bugs__create_issue', whole('Aliased'));
    await at.api.delete(`/api/v1/approval-policies/${id}`);
    return result.structuredContent?.details?.policyId === id;
  };
  expect([await blockedBy('bugs'), await blockedBy('gh'), await blockedBy('other')]).toEqual([true, true, false]);
});

it('a tool with its own alias still runs once its integration is configured twice', async () => {
  const { workspaceId } = at.own;
  const server = await serverOf({ tool: () => ({ integrationAlias: 'bugs' }) }, '');
  const connectionId = await newConnection(at.api, { workspaceId, scope: 'WORKSPACE' });
  await newIntegration(at.api, workspaceId, { integrationName: 'github', alias: 'second', connectionId });
  at.github.reset();
  at.github.on('*', { status: 201, body: { number: 1 } });
  const result = await call(server, 'bugs__create_issue', whole('Twice'));
  expect(result.isError).toBeUndefined();
  expect(at.github.requests[0]?.headers.authorization).toContain(at.own.secret);
});
