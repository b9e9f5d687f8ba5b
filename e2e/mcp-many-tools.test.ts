// Shapes: local
import { agentServer, type AgentServer, legacy, modern, officialClient } from './support/agents.js';
import { type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { expectWithinASecond } from './support/expect-within.js';
import { newIntegration, newWorkspace } from './support/workspace-integrations.js';

/** The integration kv-store has 5 actions, so there are 520 tools and one built-in tool. */
const INSTANCES = 104;
const TOOLS = 521;

let api: Api;
let workspaceId: string;
let server: AgentServer;

beforeAll(async () => {
  ({ api } = await drawbridge());
  workspaceId = await newWorkspace(api);
  const made = Array.from({ length: INSTANCES }, (_, n) => ({ integrationName: 'kv-store', alias: `kv${n}` }));
  for (const one of made) await newIntegration(api, workspaceId, one);
  server = await agentServer(api, workspaceId);
});

const page = async (cursor?: string): Promise<any> => (await modern(server, { params: { cursor } })).body.result;
const namesOf = ({ tools }: { tools: { name: string }[] }): string[] => tools.map(({ name }) => name);

it('many tools are listed in pages, each once', async () => {
  const first = await page();
  expect(first.tools).toHaveLength(500);
  const second = await page(first.nextCursor);
  expect(second.nextCursor).toBeUndefined();
  expect(new Set([...namesOf(first), ...namesOf(second)]).size).toBe(TOOLS);
  expect(await page(first.nextCursor)).toEqual(second);
  const before = (await legacy(server, { params: { cursor: first.nextCursor } })).body.result;
  expect(before).toEqual({ tools: second.tools });
});

it('the official client reads all pages', async () => {
  const client = await officialClient(server, { versionNegotiation: { mode: 'auto' } });
  expect((await client.listTools()).tools).toHaveLength(TOOLS);
  await client.close();
});

it('a cursor is valid only for the same unchanged list', async () => {
  const { nextCursor } = await page();
  const beside = await newWorkspace(api);
  await newIntegration(api, beside);
  const refused = { status: 200, body: { error: { code: -32602 } } };
  const other = await agentServer(api, beside);
  expect(await modern(other, { params: { cursor: nextCursor } })).toMatchObject(refused);
  for (const cursor of ['', 7, null, [], 'MA', `${nextCursor}x`, nextCursor.slice(1)])
    expect(await modern(server, { params: { cursor } })).toMatchObject(refused);
  await newIntegration(api, workspaceId);
  await expectWithinASecond(async () =>
    expect(await modern(server, { params: { cursor: nextCursor } })).toMatchObject(refused),
  );
});
