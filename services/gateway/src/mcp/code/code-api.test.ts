import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { type CodeApi, codeApiOf, toCodeApi } from './code-api.js';

interface Offered {
  offer: McpOffer;
  described: ToolDescription;
}

const SCHEMA = { type: 'object', properties: { repo: { type: 'string' }, title: { type: 'string' } } };

function tool(offer: Partial<McpOffer> = {}, described: Partial<ToolDescription> = {}): Offered {
  return {
    offer: { integrationAlias: 'gh', integrationName: 'github', actionName: 'create_issue', ...offer },
    described: {
      ...{ isCallable: true, integrationDisplayName: 'GitHub', displayName: 'Create issue', description: 'Creates.' },
      ...{ inputSchemaJson: JSON.stringify(SCHEMA), effect: 'write', category: 'write', idempotent: false },
      ...{ reachesOutside: true, optionProperties: [], dynamicProperties: [], takesFiles: false, adds: true },
      ...{ connectionStrategy: 'fixed', connectionId: 'c', defaultedKeys: [], partialsTag: 'p' },
      ...described,
    },
  };
}

const hashOf = async (...tools: Offered[]): Promise<string> => (await toCodeApi(tools)).hash;
const OTHER = tool({ actionName: 'comment' });

it('has a hash that does not depend on the order of tools or of keys', async () => {
  const { properties, type } = SCHEMA;
  const reordered = tool({}, { inputSchemaJson: JSON.stringify({ properties, type }) });
  expect(await hashOf(tool(), OTHER)).toBe(await hashOf(OTHER, tool()));
  expect(await hashOf(reordered)).toBe(await hashOf(tool()));
  expect(await hashOf(tool({}, { defaultedKeys: ['a', 'b'] }))).toBe(
    await hashOf(tool({}, { defaultedKeys: ['b', 'a'] })),
  );
  expect(await hashOf(tool())).toMatch(/^[0-9a-f]{64}$/);
});

it.each<[string, Offered]>([
  ['the alias', tool({ integrationAlias: 'bugs' })],
  ['the action', tool({ actionName: 'comment' })],
  ['the integration', tool({ integrationName: 'gitlab' })],
  ['the description of the tool', tool({ description: 'Mine' })],
  ['the description of the action', tool({}, { description: 'Sends.' })],
  ['the schema', tool({}, { inputSchemaJson: '{"type":"object"}' })],
  ['the keys with a default', tool({}, { defaultedKeys: ['repo'] })],
  ['the defaults', tool({ inputDefaultsJson: '{"repo":"a/b"}' })],
  ['the partials', tool({ partialIds: ['p'] })],
  ['the values of a partial', tool({}, { partialsTag: 'q' })],
  ['the connection of the tool', tool({ connectionId: 'd' })],
  ['the connection of the configured integration', tool({}, { connectionId: 'd' })],
  ['the strategy of the configured integration', tool({}, { connectionStrategy: 'per_user' })],
])('has another hash when %s changes', async (_, changed) => {
  expect(await hashOf(changed)).not.toBe(await hashOf(tool()));
});

it('has another hash when a tool is added or removed', async () => {
  expect(new Set([await hashOf(tool()), await hashOf(tool(), OTHER), await hashOf()]).size).toBe(3);
});

it('has the same hash for a title, which an approval does not show', async () => {
  expect(await hashOf(tool({ displayName: 'Report a bug' }))).toBe(await hashOf(tool()));
});

it('describes what an agent reads and what the execution service calls', async () => {
  const offered = tool({ displayName: 'Report', description: 'Reports a bug', workspaceIntegrationId: 'i' });
  const { apiTools, codeTools }: CodeApi = await toCodeApi([offered]);
  expect(apiTools).toEqual([
    {
      ...{ alias: 'gh', actionName: 'create_issue', integrationName: 'github', integrationDisplayName: 'GitHub' },
      ...{ displayName: 'Report', description: 'Reports a bug', category: 'write', effect: 'write' },
      ...{ inputSchema: SCHEMA, defaultedKeys: [] },
    },
  ]);
  expect(codeTools).toEqual([
    {
      ...{ alias: 'gh', actionName: 'create_issue', integrationName: 'github', workspaceIntegrationId: 'i' },
      ...{ integrationDisplayName: 'GitHub', displayName: 'Create issue', category: 'write' },
      integrationConnectionId: 'c',
      connectionStrategy: 'fixed',
    },
  ]);
});

it('is built once for a surface', async () => {
  const tools = new Map([['gh__create_issue', { name: 'gh__create_issue', ...tool() }]]);
  expect(await codeApiOf({ tools })).toBe(await codeApiOf({ tools }));
});
