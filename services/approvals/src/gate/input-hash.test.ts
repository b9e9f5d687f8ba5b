import { type GatedCall } from '@drawbridge/proto/drawbridge/approvals/v1/gate';
import { type Asker, inputHash } from './input-hash.js';

const ID = '01890000-0000-7000-8000-00000000000a';
const asker: Asker = { orgId: 'o', workspaceId: ID };
const call: GatedCall = {
  integrationName: 'github',
  workspaceIntegrationId: ID,
  integrationAlias: 'gh',
  connectionStrategy: 'fixed',
  actionName: 'create_issue',
  category: 'write',
  connectionId: ID,
  connectionGeneration: 1,
  account: 'Acme',
  endUserId: 'ann',
  mcpServerId: undefined,
  input: { a: 1, b: { c: [1, '2', null] } },
  recipients: [],
  stateOf: undefined,
};
const hash = (changes: Partial<GatedCall> = {}, who: Partial<Asker> = {}): string =>
  inputHash({ ...asker, ...who }, { ...call, ...changes });

it.each<[string, Partial<GatedCall>, Partial<Asker>]>([
  ['the order of keys', { input: { b: { c: [1, '2', null] }, a: 1 } }, {}],
  ['how a number is written', { input: { a: 1.0, b: { c: [1, '2', null] } } }, {}],
  ['the two cases of a UUID', {}, { workspaceId: ID.toUpperCase() }],
  ['the strategy that found its connection', { connectionStrategy: 'per_user' }, {}],
  ['the server of an agent', { mcpServerId: 'm' }, {}],
])('takes %s for the same call', (_what, changes, who) => expect(hash(changes, who)).toBe(hash()));

it('takes an absent input and {} for the same call', () => {
  expect(hash({ input: undefined })).toBe(hash({ input: {} }));
});

it.each<[string, Partial<GatedCall>, Partial<Asker>]>([
  ['input', { input: { a: 2, b: { c: [1, '2', null] } } }, {}],
  ['input, deep in it', { input: { a: 1, b: { c: [1, 2, null] } } }, {}],
  ['input, in the order of a list', { input: { a: 1, b: { c: ['2', 1, null] } } }, {}],
  ['integration', { integrationName: 'gitlab' }, {}],
  ['configured integration', { workspaceIntegrationId: ID.replace('a', 'b') }, {}],
  ['alias', { integrationAlias: 'gh2' }, {}],
  ['action', { actionName: 'comment' }, {}],
  ['connection', { connectionId: undefined }, {}],
  ['generation of the credential', { connectionGeneration: 2 }, {}],
  ['account label', { account: 'Other' }, {}],
  ['end user', { endUserId: 'bob' }, {}],
  ['state', { stateOf: 'workspace ' }, {}],
  ['missing end user', { endUserId: undefined }, {}],
  ['organization', {}, { orgId: 'p' }],
  ['workspace', {}, { workspaceId: ID.replace('a', 'b') }],
])('tells calls apart by their %s', (_what, changes, who) => expect(hash(changes, who)).not.toBe(hash()));
