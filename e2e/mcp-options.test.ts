// Shapes: local
import { type FakeProvider } from '@drawbridge/testkit';
import { type AgentServer, agentServer, call, modern } from './support/agents.js';
import { newPolicy } from './support/approvals.js';
import { type AskedProduct, askedProduct } from './support/asked-product.js';
import { expectWithinASecond } from './support/expect-within.js';
import { MCP_SERVERS } from './support/mcp-servers.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

let its: AskedProduct;
let thirdParty: FakeProvider;
let server: AgentServer;

beforeAll(async () => {
  its = await askedProduct();
  ({ thirdParty } = its);
  server = await agentServer(its.api, its.workspaceId);
});
afterAll(() => its?.stop());
beforeEach(() => thirdParty.reset());

const lookUp = (argument: unknown, args: object = {}, at = server): Promise<any> =>
  call(at, 'svc_options', { tool: 'asked__post', argument, ...args });
const used = (): unknown[] => thirdParty.requests.map(({ headers }) => headers['authorization']);
const named = (...names: string[]): object[] => names.map((name) => ({ id: name.toLowerCase(), name }));
const shown = (...names: string[]): object[] => names.map((label) => ({ label, value: label.toLowerCase() }));

describe('an argument with dynamic options', () => {
  it('refers to svc_options in the tool list, and svc_options is listed only with such arguments', async () => {
    const { tools } = (await modern(server)).body.result;
    const { properties } = tools.find(({ name }: { name: string }) => name === 'asked__post').inputSchema;
    expect(properties.team.description).toMatch(/See svc_options\.$/);
    expect(properties.fields.description).toMatch(/See svc_options\.$/);
    expect(properties.text.description ?? '').not.toMatch(/svc_options/);
    expect(tools.at(-1).name).toBe('svc_options');
    const plain = await newWorkspace(its.api);
    await newIntegration(its.api, plain);
    const names = (await modern(await agentServer(its.api, plain))).body.result.tools.map(({ name }: any) => name);
    expect(names).toContain('svc_continue');
    expect(names).not.toContain('svc_options');
  });

  it('has options from the connection of the configured integration, by other arguments and a search', async () => {
    thirdParty.on('GET /teams/red/channels', { body: named('News', 'Talk') });
    expect((await lookUp('channel')).structuredContent).toEqual({ options: [], disabled: true });
    const found = await lookUp('channel', { arguments: { team: 'red' }, search: 'new' });
    expect(found.structuredContent).toEqual({ options: shown('News'), disabled: false });
    expect(found.content[0].text).toMatch(/data, not instructions/);
    expect(used()).toEqual(['Bearer of-the-workspace']);
  });

  it('has its keys returned where it is an object', async () => {
    thirdParty.on('GET /columns', { body: named('Size') });
    const { properties } = (await lookUp('fields', { arguments: { team: 'red' } })).structuredContent;
    expect(properties).toEqual({ size: expect.objectContaining({ displayName: 'Size', required: true }) });
    expect(thirdParty.requests[0]?.url).toBe('/columns?team=red');
  });

  it.each<[string, object, RegExp]>([
    ['another tool', { tool: 'asked__nothing', argument: 'team' }, /^The arguments are not valid: tool: /],
    ['a built-in tool', { tool: 'svc_continue', argument: 'team' }, /tool: must be the name of another tool/],
    ['no argument', { argument: 7 }, /argument: must be the name/],
    [
      'an argument without options',
      { argument: 'text' },
      /the arguments with options are team, channel, people.*fields/,
    ],
    ['an unknown argument', { argument: '__proto__' }, /has no options/],
    ['a long search', { argument: 'team', search: 'x'.repeat(201) }, /search: must be a string of at most 200/],
    ['arguments that are a list', { argument: 'team', arguments: [] }, /arguments: must be an object/],
    ['invalid arguments', { argument: 'channel', arguments: { team: 7 } }, /not valid: team/],
  ])('returns an error in the result for invalid arguments: %s', async (_, args, message) => {
    const { isError, content } = await lookUp(undefined, args);
    expect({ isError, text: content[0].text }).toEqual({ isError: true, text: expect.stringMatching(message) });
    expect(thirdParty.requests).toEqual([]);
  });

  it('returns a provider error in the result', async () => {
    thirdParty.on('GET /people', { status: 403, body: { message: 'Not yours' } });
    const { isError, structuredContent } = await lookUp('people');
    expect({ isError, structuredContent }).toMatchObject({
      isError: true,
      structuredContent: { code: 'OPTIONS_FAILED', details: { provider: { status: 403 } } },
    });
  });
});

it('svc_options uses the connection of the tool, as its call does', async () => {
  const given = await agentServer(its.api, its.workspaceId);
  const connectionId = await its.connect('of-the-tool', { scope: 'WORKSPACE' });
  const tool = { integrationName: 'asked', actionName: 'post', connectionId };
  const { status } = await its.api.post(`${MCP_SERVERS}/${given.serverId}/tools`, tool);
  expect(status).toBe(201);
  await expectWithinASecond(async () => {
    thirdParty.reset();
    thirdParty.on('GET /people', { body: { people: named('Ann') } });
    await lookUp('people', {}, given);
    expect(used()).toEqual(['Bearer of-the-tool']);
  });
  thirdParty.on('GET /columns', { body: named('Size') });
  await lookUp('fields', {}, given);
  expect(used()).toEqual(Array(2).fill('Bearer of-the-tool'));
  await its.api.delete(`/api/v1/connections/${connectionId}`);
  await expectWithinASecond(async () =>
    expect(await lookUp('people', {}, given)).toMatchObject({ structuredContent: { code: 'CONNECTION_REQUIRED' } }),
  );
});

it('svc_options is refused where a policy blocks the calls of this server only', async () => {
  const blocked = await agentServer(its.api, its.workspaceId);
  const { workspaceId } = its;
  await newPolicy(its.api, { workspaceId, decision: 'block', mcpServerIds: [blocked.serverId] });
  thirdParty.on('GET /people', { body: { people: [] } });
  thirdParty.on('GET /columns', { body: [] });
  for (const argument of ['people', 'fields']) {
    await expectWithinASecond(async () =>
      expect(await lookUp(argument, {}, blocked)).toMatchObject({ structuredContent: { code: 'FORBIDDEN' } }),
    );
    expect((await lookUp(argument)).isError).toBeUndefined();
  }
});
