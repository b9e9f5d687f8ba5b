// Shapes: local
import { type Answer, type Api } from './support/api.js';
import { drawbridge } from './support/drawbridge.js';
import { eventually } from './support/eventually.js';
import { expectError, expectInvalid, UNKNOWN_ID, UUID_V7 } from './support/expect.js';
import { MCP_SERVERS, newServer } from './support/mcp-servers.js';
import { newConnection, newIntegration, newWorkspace, pathOf } from './support/workspace-integrations.js';

const ISSUE = { integrationName: 'github', actionName: 'create_issue' };
const HASH = { integrationName: 'hash-encode', actionName: 'hash' };

let api: Api;
let workspaceId: string;
let tools: string;

beforeAll(async () => void ({ api } = await drawbridge()));
beforeEach(async () => {
  workspaceId = await newWorkspace(api);
  const { id } = (await newServer(api, workspaceId)).server;
  tools = `${MCP_SERVERS}/${id}/tools`;
});

const add = (fields: object = {}): Promise<Answer> => api.post(tools, { ...HASH, ...fields });
const patch = (id: string, body: object): Promise<Answer> => api.patch(`${tools}/${id}`, body);
const shown = async (): Promise<any[]> => (await api.get(tools.replace('/tools', ''))).body.tools;

async function added(fields: object = {}): Promise<any> {
  const { status, body } = await add(fields);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.tool;
}

describe('an MCP tool with an alias', () => {
  it('keeps its alias and its configured integration, and is deleted with it', async () => {
    const { id } = await newIntegration(api, workspaceId, { alias: 'first' });
    const { id: second } = await newIntegration(api, workspaceId, { alias: 'second' });
    const tool = await added({ integrationAlias: 'mine', workspaceIntegrationId: second });
    expect(tool).toMatchObject({ integrationAlias: 'mine', workspaceIntegrationId: second });
    expect((await patch(tool.id, { integrationAlias: 'ours' })).body.tool.workspaceIntegrationId).toBe(second);
    expectError(
      await patch(tool.id, { integrationAlias: 'first', workspaceIntegrationId: second }),
      409,
      'ALIAS_CONFLICT',
    );
    expectInvalid(await add({ workspaceIntegrationId: UNKNOWN_ID }), 'workspaceIntegrationId');
    await added({ integrationAlias: 'first', actionName: 'encode' });
    await api.patch(pathOf(workspaceId, second), { alias: 'renamed' });
    await api.patch(pathOf(workspaceId, id), { alias: 'renamed-too' });
    const aliases = async () => (await shown()).map(({ integrationAlias }: any) => integrationAlias).sort();
    await eventually(async () => expect(await aliases()).toEqual(['ours', 'renamed-too']));
    await api.delete(pathOf(workspaceId, second));
    await eventually(async () => expect(await aliases()).toEqual(['renamed-too']));
  });

  it('requires a configured integration or a connection where the integration is configured twice', async () => {
    for (const alias of ['work', 'home'])
      await newIntegration(api, workspaceId, {
        integrationName: 'github',
        alias,
        connectionId: await newConnection(api),
      });
    expectInvalid(await add({ ...ISSUE, integrationAlias: 'bugs' }), 'integrationAlias');
    const { workspaceIntegrationId } = await added({
      ...{ ...ISSUE, integrationAlias: 'bugs', connectionId: await newConnection(api) },
    });
    expect(workspaceIntegrationId).toMatch(UUID_V7);
  });
});
