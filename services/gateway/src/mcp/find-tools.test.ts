import { type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { findTools } from './find-tools.js';
import { PART_CHARACTERS } from './results.js';
import { type OfferedTool } from './tool-list.js';

/** Returns the tools of a server. The input schema of each has a description of this length. */
function surfaceOf(length: number, count = 20) {
  const schema = { type: 'object', properties: { text: { type: 'string', description: 'x'.repeat(length) } } };
  const described = {
    ...{ integrationDisplayName: 'Acme', displayName: 'Post', description: 'Posts a message.', effect: 'write' },
    ...{ inputSchemaJson: JSON.stringify(schema), optionProperties: [], dynamicProperties: [], defaultedKeys: [] },
    ...{ category: 'write', partialsTag: '', isCallable: true, adds: true, idempotent: false, reachesOutside: true },
  } as unknown as ToolDescription;
  const tools = Array.from({ length: count }, (_, n): [string, OfferedTool] => {
    const offer = { integrationAlias: `acme${n}`, integrationName: 'acme', actionName: 'post' };
    return [`acme${n}__post`, { name: `acme${n}__post`, offer, described }];
  });
  return { tools: new Map(tools) };
}

const found = async (length: number): Promise<any> =>
  JSON.parse((await findTools(surfaceOf(length), { query: 'post', limit: 20 })).structuredJson!);

it.each([
  ['all of 20 small tools', 1_000, 20],
  ['the best ones that fit of large tools', 30_000, 3],
])('returns %s', async (_, length, count) => {
  const { tools, total } = await found(length);
  expect(tools).toHaveLength(count);
  expect(total).toBe(20);
  expect(tools.every(({ inputSchema }: { inputSchema?: object }) => inputSchema)).toBe(true);
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(PART_CHARACTERS);
});

it('returns tools without their schema if it is too large for a result', async () => {
  const { tools } = await found(PART_CHARACTERS / 2);
  expect(tools).toHaveLength(20);
  expect(tools[0]).toEqual({
    ...{ name: 'acme0__post', title: 'Acme: Post', description: 'Posts a message.', annotations: expect.anything() },
  });
});
