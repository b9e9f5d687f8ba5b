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

function describeTool(instances: ConfiguredInstance[], asked: object = {}, values: object = {}): Promise<Described> {
  const applied: AppliedPartial = { head: HEAD, values: { ...values }, enforcedKeys: [] };
  const service = tools({
    requireWorkspace: async () => undefined,
    instances: { of: async () => instances, forget: () => undefined },
    partials: async ({ heads }) => (heads.length > 0 ? [applied] : []),
  });
  const request = { workspaceId: 'w', tools: [{ ...ASKED, ...asked }], isFresh: false };
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

it('changes the tag with the connection and its strategy', async () => {
  const tagOf = async (more: object): Promise<string> => (await describeTool([configured(more)])).tag;
  const tags = await Promise.all(
    [{}, {}, { connectionId: 'd' }, { connectionStrategy: 'per_user' }].map((more) => tagOf(more)),
  );
  expect(tags[1]).toBe(tags[0]);
  expect(new Set(tags).size).toBe(3);
});
