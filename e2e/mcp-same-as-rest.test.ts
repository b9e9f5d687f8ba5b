// Shapes: none; in full: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type AgentServer, modern, newToken } from './support/agents.js';
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { gateOutcomes, OUTCOMES } from './support/gate-outcomes.js';
import { type GithubWorkspace, githubWorkspace } from './support/github.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { fresh } from './support/owned-resources.js';
import { provider } from './support/provider.js';
import { newConnection, newIntegration } from './support/workspace-integrations.js';

/** The connection strategy and the end user. Ann has a connection, Bob has none. */
const STRATEGIES = [
  ['fixed', 'ann'],
  ['per_user', 'ann'],
  ['per_user', 'bob'],
  ['per_user_with_fallback', 'bob'],
] as const;
const ENABLED = { all: null, this: ['create_issue'], other: ['get_file'] };
/** The ways in which the title is supplied. */
const WAYS = ['by the call', 'by a partial', 'forced by a partial', 'beside an unknown key', 'without a repository'];

interface Case {
  strategy: string;
  endUserId: string;
  enabled: string;
  way: string;
  title: string;
}

const CASES: Case[] = STRATEGIES.flatMap(([strategy, endUserId]) =>
  Object.keys(ENABLED).flatMap((enabled) =>
    WAYS.flatMap((way) => OUTCOMES.map(([title]) => ({ strategy, endUserId, enabled, way, title }))),
  ),
);

let api: Api;
let github: FakeProvider;
let own: GithubWorkspace;
const aliasOf = ({ strategy, enabled }: Pick<Case, 'strategy' | 'enabled'>): string => `${strategy}-${enabled}`;
/** Ids of input partials, which supply or enforce values of the input, by alias, way and title. */
const partials = new Map<string, string>();
/** Agents by way, title and end user. */
const agents = new Map<string, AgentServer>();

const partialOf = ({ way, title, ...its }: Case): string | undefined =>
  partials.get([aliasOf(its), way, title].join('|'));

beforeAll(async () => {
  ({ api } = await drawbridge());
  github = await provider();
  own = await githubWorkspace(api);
  await gateOutcomes(api, own);
  const { workspaceId } = own;
  for (const externalId of ['ann', 'bob']) await api.post('/api/v1/end-users', { workspaceId, externalId });
  await newConnection(api, { workspaceId, scope: 'USER', endUserId: 'ann', secretText: 'of-ann', externalId: 'ann' });
  for (const connectionStrategy of new Set(STRATEGIES.map(([strategy]) => strategy)))
    for (const [enabled, enabledActions] of Object.entries(ENABLED))
      await configure(connectionStrategy, enabled, enabledActions);
  for (const way of WAYS.slice(0, 3)) await Promise.all(OUTCOMES.map(([title]) => newAgents(way, title)));
  const [blocked] = OUTCOMES[0]!;
  const plain = { ...CASES[0]!, title: blocked };
  expect(outcomeOfTool(await byTool(plain, 'until it holds'))).toMatchObject({ code: 'FORBIDDEN' });
});
afterAll(() => github?.stop());

async function configure(connectionStrategy: string, enabled: string, enabledActions: string[] | null): Promise<void> {
  const alias = aliasOf({ strategy: connectionStrategy, enabled });
  const connectionId = connectionStrategy === 'per_user' ? undefined : own.connectionId;
  const configured = { alias, connectionStrategy, connectionId, enabledActions: enabledActions ?? undefined };
  await newIntegration(api, own.workspaceId, { integrationName: 'github', ...configured });
  const made = OUTCOMES.flatMap(([title]) => [
    ['by a partial', title, { values: { title } }] as const,
    ['forced by a partial', title, { values: { title }, enforcedKeys: ['title'] }] as const,
  ]);
  for (const [way, title, fields] of made) {
    const facts = { workspaceId: own.workspaceId, integrationName: 'github', integrationAlias: alias, name: fresh() };
    const { status, body } = await api.post('/api/v1/partials', { ...facts, ...fields });
    expect({ status, body }).toMatchObject({ status: 201 });
    partials.set([alias, way, title].join('|'), body.partial.id);
  }
}

/** Creates agents of a server with tools that supply the title in this way. */
async function newAgents(way: string, title: string): Promise<void> {
  const { server, mcpEndpoint } = await newServer(api, own.workspaceId, { authMode: 'bearer' });
  const { origin: baseUrl, pathname: path } = new URL(mcpEndpoint);
  for (const [key, partialId] of partials) {
    const [integrationAlias, ...its] = key.split('|');
    if (its.join('|') !== `${way}|${title}`) continue;
    const tool = { integrationName: 'github', actionName: 'create_issue', integrationAlias, partialIds: [partialId] };
    const { status, body } = await api.post(`${MCP_SERVERS}/${server.id}/tools`, tool);
    expect({ status, body }).toMatchObject({ status: 201 });
  }
  for (const endUserId of ['ann', 'bob']) {
    const token = await newToken(api, server.id, endUserId);
    agents.set([way, title, endUserId].join('|'), { serverId: server.id, baseUrl, path, endUserId, token });
  }
}

/** Returns the input that the caller supplies. `mark` identifies the request at the provider. */
function inputOf({ way, title }: Case, mark: string): object {
  const whole = { repo: 'acme/app', title, body: mark };
  switch (way) {
    case 'by a partial':
      return { repo: 'acme/app', body: mark };
    case 'forced by a partial':
      return { ...whole, title: 'free' };
    case 'beside an unknown key':
      return { ...whole, nothing: 1 };
    case 'without a repository':
      return { title, body: mark };
    default:
      return whole;
  }
}

function byRest(its: Case, mark: string): Promise<Answer> {
  const partialId = partialOf(its);
  return api.post('/api/v1/actions/execute', {
    ...{ integrationName: 'github', actionName: 'create_issue', workspaceId: own.workspaceId },
    ...{ integrationAlias: aliasOf(its), endUserId: its.endUserId, input: inputOf(its, mark) },
    ...(partialId !== undefined && { partialIds: [partialId] }),
  });
}

function byTool(its: Case, mark: string): Promise<Answer> {
  const way = partialOf(its) === undefined ? WAYS[0] : its.way;
  const agent = agents.get([way, its.title, its.endUserId].join('|'))!;
  const params = { name: `${aliasOf(its)}__create_issue`, arguments: inputOf(its, mark) };
  return modern(agent, { method: 'tools/call', params });
}

const outcomeOf = (code: string, details: any = {}): object => {
  const { connectUrl: _link, ...rest } = details;
  return { code, details: rest };
};

function outcomeOfRest({ status, body }: Answer): object {
  if (status === 200) return outcomeOf('ran');
  if (status === 202) return outcomeOf('waits');
  const isDisabled = status === 403 && body.details.policyId === undefined;
  return isDisabled ? outcomeOf('not offered') : outcomeOf(body.code, body.details);
}

function outcomeOfTool({ body: { result, error } }: Answer): object {
  if (error) return outcomeOf(error.code === -32602 ? 'not offered' : 'failed');
  if (result.isError) return outcomeOf(result.structuredContent.code, result.structuredContent.details);
  return outcomeOf(result.structuredContent.status === 'approval_required' ? 'waits' : 'ran');
}

/** Returns the requests with this mark that the provider received, with their credentials. */
const sentFor = (mark: string): object[] =>
  github.requests
    .filter(({ body }) => body?.body === mark)
    .map(({ headers, body }) => ({ authorization: headers['authorization'], title: body.title }));

it('has 300 cases', () => expect(CASES).toHaveLength(300));

it.each(OUTCOMES)(
  'the input %s has the same outcome by REST and by a tool, for every caller and way of input',
  async (title) => {
    github.reset();
    github.on('*', { status: 201, body: { number: 1 } });
    const seen = new Set<string>();
    for (const [number, its] of CASES.filter((one) => one.title === title).entries()) {
      const [rest, tool] = await Promise.all([byRest(its, `rest ${number}`), byTool(its, `tool ${number}`)]);
      const outcome = outcomeOfTool(tool) as { code: string };
      expect({ its, outcome, sent: sentFor(`tool ${number}`) }).toEqual({
        ...{ its, outcome: outcomeOfRest(rest), sent: sentFor(`rest ${number}`) },
      });
      seen.add(outcome.code);
    }
    const decided =
      { block: 'FORBIDDEN', require_approval: 'waits' }[OUTCOMES.find(([one]) => one === title)![1]] ?? 'ran';
    expect([...seen].sort()).toEqual(['CONNECTION_REQUIRED', 'VALIDATION_ERROR', decided, 'not offered'].sort());
  },
);
