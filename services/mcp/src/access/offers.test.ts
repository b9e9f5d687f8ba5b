import { type LinkedInstance } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type OfferedTool, offersOf } from './offers.js';

const instance = (alias: string, more: Partial<LinkedInstance> = {}): LinkedInstance => ({
  ...{ id: `i-${alias}`, alias, integrationName: 'hash-encode' },
  connectionStrategy: 'fixed',
  ...more,
});
const tool = (more: Partial<OfferedTool> = {}): OfferedTool => ({
  ...{ id: 't', integrationName: 'hash-encode', integrationAlias: 'h', actionName: 'hash', displayName: 'Mine' },
  ...{ workspaceIntegrationId: null, connectionId: null, description: null, inputDefaults: null },
  ...{ partialIds: null },
  ...more,
});
const named = (...given: Parameters<typeof offersOf>): string[] =>
  offersOf(...given).map((offer) => `${offer.toolId ?? '-'} ${offer.integrationAlias}.${offer.actionName}`);
const ONLY = { enabledActions: ['hash'] };

it('offers what the workspace configured, of each what may run', () => {
  expect(named([], [instance('a', ONLY), instance('b', { enabledActions: ['encode', 'gone'] })])).toEqual([
    '- a.hash',
    '- b.encode',
  ]);
  expect(named([], [instance('a')])).toContain('- a.encode');
  expect(named([], [instance('a', { enabledActions: [] }), instance('b', { integrationName: 'gone' })])).toEqual([]);
});

it('offers a tool in the place of the action of its alias and name', () => {
  const [own] = [tool({ integrationAlias: 'a', workspaceIntegrationId: 'i-a', inputDefaults: { x: 1 } })];
  const [first, ...rest] = offersOf([own!], [instance('a', { enabledActions: ['hash', 'encode'] })]);
  expect(first).toMatchObject({ toolId: 't', displayName: 'Mine', inputDefaultsJson: '{"x":1}' });
  expect(rest).toMatchObject([{ integrationAlias: 'a', actionName: 'encode', workspaceIntegrationId: 'i-a' }]);
});

it.each<[string, Partial<OfferedTool>]>([
  ['that the workspace does not enable', { workspaceIntegrationId: 'i-a', actionName: 'encode' }],
  ['of an integration that was removed', { workspaceIntegrationId: 'i-gone' }],
  ['of an action that is gone', { actionName: 'gone' }],
  ['of a piece that is gone', { integrationName: 'gone' }],
])('offers no tool %s', (_, more) => {
  expect(named([tool(more)], [instance('a', ONLY)])).toEqual(['- a.hash']);
});

it('offers nothing of the workspace by an alias that a tool has for another integration', () => {
  const own = tool({ integrationAlias: 'a' });
  expect(named([own], [instance('a', { integrationName: 'datetime' }), instance('b', ONLY)])).toEqual([
    't a.hash',
    '- b.hash',
  ]);
});

it('says which partials apply: those that were named, or the default ones', () => {
  const [none, some, left] = offersOf(
    [tool({ partialIds: [] }), tool({ partialIds: ['p'], actionName: 'encode' }), tool({ integrationAlias: 'z' })],
    [],
  );
  expect([none?.partialIds, some?.partialIds, left?.partialIds]).toEqual([[], ['p'], undefined]);
});
