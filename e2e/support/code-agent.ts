import { type AgentServer, agentServer, call } from './agents.js';
import { type Answer, type Api } from './api.js';
import { newPolicy } from './approvals.js';
import { type GithubAgent, githubAgent } from './github-agent.js';
import { MCP_SERVERS } from './mcp-servers.js';

/** A program that creates an issue and returns its number. */
export const CREATE =
  "const { number } = await svc.gh.create_issue({ repo: 'acme/app', title: 'Of code' }); return { number };";

export let at: GithubAgent;
export let api: Api;
/** An MCP server that runs programs. Its calls need no approval. */
export let server: AgentServer;

/** Creates the workspace and the server of a test file. Call it in `beforeAll`, and `at.github.stop()` in `afterAll`. */
export async function openCodeAgent(): Promise<void> {
  at = await githubAgent();
  ({ api } = at);
  server = await agentServer(api, at.own.workspaceId, { mode: 'CODE' });
}

/** Runs a program, or continues it, over REST. */
export const post = (body: object, id = server.serverId): Promise<Answer> =>
  api.post(`${MCP_SERVERS}/${id}/execute-code`, body);

type Execute = (body: object, of?: AgentServer) => Promise<any>;

/** The two APIs that run programs. Each function converts the response to the format of the REST response, so that tests can compare them. */
export const INTERFACES: [string, Execute][] = [
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

/** Returns the value of a program that succeeded. */
export const valueOf = (result: any): unknown => {
  expect(result).toMatchObject({ isError: false });
  return JSON.parse(result.content[0].text);
};

/** Creates another MCP server in this workspace, and approval policies that apply only to the calls of this server. */
export async function gatedServer(...policies: object[]): Promise<AgentServer> {
  const gated = await agentServer(api, at.own.workspaceId, { mode: 'CODE' });
  for (const policy of policies)
    await newPolicy(api, { workspaceId: at.own.workspaceId, mcpServerIds: [gated.serverId], ...policy });
  return gated;
}
