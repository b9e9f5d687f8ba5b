// Shapes: local
import { agentServer, type AgentServer, legacy, modern, newToken } from './support/agents.js';
import { apiOf } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { newOrganization } from './support/organizations.js';
import { newIntegration, newWorkspace, unique } from './support/workspace-integrations.js';

const TENANTS = 10;
/** `npm test` has fewer clients, because each needs an end user, a token and calls. */
const CLIENTS = process.env['FULL'] === '0' ? 20 : 50;
/** The number of calls, by default two rounds of each client. MCP_CALLS=10000 takes minutes. */
const CALLS = Number(process.env['MCP_CALLS'] ?? CLIENTS * 8);

interface AgentOfTenant {
  server: AgentServer;
  tenant: string;
  /** A secret that only this agent uses. */
  secret: string;
}

const SECRETS = /only-\d+-knows/g;
const NAMES = /tenant-\d+/g;

/** Creates an organization with one server, and an agent for each of its end users. */
async function agentsOf(tenant: string, numbers: number[]): Promise<AgentOfTenant[]> {
  const { baseUrl, databaseUrl } = await drawbridge();
  const api = apiOf(baseUrl, (await newOrganization(databaseUrl)).plainKey);
  const workspaceId = await newWorkspace(api);
  await newIntegration(api, workspaceId, { integrationName: 'kv-store', alias: tenant });
  const server = await agentServer(api, workspaceId, { name: tenant });
  const agents: AgentOfTenant[] = [];
  for (const number of numbers) {
    const endUserId = unique(tenant);
    await api.post('/api/v1/end-users', { workspaceId, externalId: endUserId });
    const token = await newToken(api, server.serverId, endUserId);
    agents.push({ server: { ...server, endUserId, token }, tenant, secret: `only-${number}-knows` });
  }
  return agents;
}

/** Returns the response message with this id as a string. */
async function responseText(
  send: typeof modern,
  { server }: AgentOfTenant,
  id: number,
  message: object,
): Promise<string> {
  const { status, body } = await send(server, { id, ...message });
  expect({ status, id: body.id, error: body.error }).toEqual({ status: 200, id, error: undefined });
  return JSON.stringify(body);
}

const only = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern))];

/** Sends four messages in each round. All agents use the same message ids, so an agent would accept a response that belongs to another agent. */
async function converse(agent: AgentOfTenant, rounds: number): Promise<void> {
  const { tenant, secret } = agent;
  const call = (tool: string, args: object): object => ({
    method: 'tools/call',
    params: { name: `${tenant}__${tool}`, arguments: args },
  });
  for (let round = 0; round < rounds; round++) {
    const value = `${secret} ${round}`;
    await responseText(legacy, agent, 1, call('set', { key: secret, value }));
    const kept = await responseText(modern, agent, 2, call('get', { key: secret }));
    expect({ kept: kept.includes(value), secrets: only(kept, SECRETS) }).toEqual({ kept: true, secrets: [secret] });
    const refused = await responseText(legacy, agent, 3, call('get', { [secret]: 1 }));
    expect(only(refused, SECRETS)).toEqual([secret]);
    const list = await responseText(round % 2 ? legacy : modern, agent, 4, { method: 'tools/list' });
    expect(only(list, NAMES)).toEqual([tenant]);
  }
}

it(`${CLIENTS} clients of ${TENANTS} tenants with the same request ids see only their own data`, async () => {
  const perTenant = CLIENTS / TENANTS;
  const agents: AgentOfTenant[] = [];
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const numbers = Array.from({ length: perTenant }, (_, index) => tenant * perTenant + index);
    agents.push(...(await agentsOf(`tenant-${tenant}`, numbers)));
  }
  await Promise.all(agents.map((agent) => converse(agent, CALLS / CLIENTS / 4)));
}, 1_200_000);
