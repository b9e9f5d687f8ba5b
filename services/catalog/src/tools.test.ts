import { findPiece } from '@drawbridge/pieces';
import { type AskedTool, type ToolDescription } from '@drawbridge/proto/drawbridge/catalog/v1/tools';
import { runInContext } from '@drawbridge/rpc';
import { type ConfiguredInstance } from './configured-instances.js';
import { type AppliedPartial, type PartialHead } from './partials/apply-partials.js';
import { defaultedKeys, tools } from './tools.js';

const HEAD: PartialHead = {
  ...{ id: 'p', name: 'Defaults', actionName: 'create_issue', triggerName: null, isDefault: true, updatedAt: '1' },
};
const configured = (more: object = {}): ConfiguredInstance => ({
  integrationName: 'github',
  instance: { id: 'i', alias: 'gh', connectionStrategy: 'fixed', connectionId: 'c', codeFetch: false, ...more },
  partials: [HEAD],
});
const ASKED: AskedTool = { integrationName: 'github', actionName: 'create_issue', defaultKeys: [] };

interface Described {
  tag: string;
  tools: ToolDescription[];
}

function describeTool(
  instances: ConfiguredInstance[],
  asked: object = {},
  values: object = {},
  more: object = {},
): Promise<Described> {
  const applied: AppliedPartial = { head: HEAD, values: { ...values }, enforcedKeys: [] };
  const list = async () => instances;
  const service = tools({
    requireWorkspace: async () => undefined,
    instances: { of: list, current: list, versionOf: () => 'v1', forget: () => undefined },
    partials: async ({ heads }) => (heads.length > 0 ? [applied] : []),
  });
  const request = { workspaceId: 'w', tools: [{ ...ASKED, ...asked }], isFresh: false, ...more };
  const context: any = { caller: { orgId: 'o' } };
  return runInContext(context, async () => service.describeTools(request) as Promise<Described>);
}

const described = async (...given: Parameters<typeof describeTool>): Promise<ToolDescription> =>
  (await describeTool(...given)).tools[0]!;

it('states the category of the action and the connection of its configured integration', async () => {
  const { category } = findPiece('github')!.actions['create_issue']!;
  expect(await described([configured()])).toMatchObject({
    ...{ isCallable: true, category, connectionStrategy: 'fixed', connectionId: 'c' },
  });
  const perUser = await described([configured({ connectionStrategy: 'per_user', connectionId: undefined })]);
  expect(perUser).toMatchObject({ connectionStrategy: 'per_user' });
  expect(perUser.connectionId).toBeUndefined();
  const none = await described([]);
  expect([none.connectionStrategy, none.connectionId]).toEqual([undefined, undefined]);
});

it('states the keys with a default, of a partial or of the tool', async () => {
  const values = { repo: 'acme/app', title: null, other: 1 };
  const { defaultedKeys: keys } = await described([configured()], { defaultKeys: ['body', 'nothing'] }, values);
  expect([...keys].sort()).toEqual(['body', 'repo']);
  expect((await described([configured()])).defaultedKeys).toEqual([]);
});

it('has another tag for partials that were changed', async () => {
  const tagOf = async (updatedAt?: string): Promise<string> => {
    const partials = updatedAt === undefined ? [] : [{ ...HEAD, updatedAt }];
    return (await described([{ ...configured(), partials }])).partialsTag;
  };
  expect(await tagOf('1')).toBe(await tagOf('1'));
  expect(new Set([await tagOf(), await tagOf('1'), await tagOf('2')]).size).toBe(3);
});

it('leaves out keys that partials enforce, because the schema does not have them', () => {
  const partials = [{ values: { repo: 'a/b', title: 'T' }, enforcedKeys: ['repo'] }];
  expect(defaultedKeys(['title', 'body'], partials, ['repo'])).toEqual(['title']);
});

it('sends no descriptions to a client that has those of the current configuration', async () => {
  const { tag, tools: all } = await describeTool([configured()]);
  expect(all).toHaveLength(1);
  const known = (knownTag: string) => describeTool([configured()], {}, {}, { knownTag, tools: [] });
  expect(await known(tag)).toEqual({ tag, isUnchanged: true, tools: [] });
  expect(await known(`${tag}0`)).toEqual({ tag, isUnchanged: false, tools: [] });
});
