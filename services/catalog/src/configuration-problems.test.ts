import { Connection } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { processorTime } from '@drawbridge/testkit';
import { configurationProblems, type RequestedConfiguration, settingsProblems } from './configuration-problems.js';

const HERE = 'aaaaaaaa-0000-7000-8000-000000000001';
const ELSEWHERE = 'aaaaaaaa-0000-7000-8000-000000000002';
const ID = 'cccccccc-0000-7000-8000-000000000001';

type Chosen = NonNullable<RequestedConfiguration['connection']>;

const using = (connectionStrategy: string, connectionId?: string): Chosen => ({ connectionStrategy, connectionId });
const known = (connection: Partial<Connection>) =>
  new Map([[ID, Connection.create({ id: ID, integrationName: 'github', ...connection })]]);

function problems(wanted: Partial<RequestedConfiguration>, connections: Map<string, Connection> = new Map()): string[] {
  return Object.keys(configurationProblems({ workspaceId: HERE, integrationName: 'github', ...wanted }, connections));
}

describe('the connection of a workspace integration', () => {
  it.each(['fixed', 'per_user_with_fallback'])('is required by %s', (strategy) => {
    expect(problems({ connection: using(strategy) })).toEqual(['connectionId']);
  });

  it.each<[string, Partial<RequestedConfiguration>]>([
    ['per_user', { connection: using('per_user') }],
    ['an integration for which it is optional', { integrationName: 'http', connection: using('fixed') }],
    ['an integration that uses none', { integrationName: 'hash-encode', connection: using('fixed') }],
    ['a change that chooses neither strategy nor connection', {}],
  ])('is not required by %s', (_what, wanted) => {
    expect(problems(wanted)).toEqual([]);
  });

  it.each<[string, Partial<Connection>, string[]]>([
    ['of the organization', { scope: 'ORGANIZATION' }, []],
    ['of this workspace', { scope: 'WORKSPACE', workspaceId: HERE }, []],
    ['of another workspace', { scope: 'WORKSPACE', workspaceId: ELSEWHERE }, ['connectionId']],
    ['of an end user', { scope: 'USER', workspaceId: HERE }, ['connectionId']],
    ['of another integration', { scope: 'ORGANIZATION', integrationName: 'http' }, ['connectionId']],
  ])('that is one %s is judged', (_what, connection, paths) => {
    expect(problems({ connection: using('per_user', ID.toUpperCase()) }, known(connection))).toEqual(paths);
  });

  it('must be one that the organization has', () => {
    expect(problems({ connection: using('fixed', ID) })).toEqual(['connectionId']);
  });
});

it('names an integration that is not in the catalog, and wrong settings beside it', () => {
  const wanted = { integrationName: 'constructor', connection: using('fixed'), enabledActions: ['x'] };
  expect(problems({ ...wanted, settings: { persistence: 1 } })).toEqual(['integrationName', 'settings.persistence']);
});

it('names every action that the integration lacks, and the rest of the problems', () => {
  const enabledActions = ['create_issue', 'fly', 'toString', 7];
  expect(problems({ connection: using('fixed'), enabledActions, settings: { advancedCode: 1 } })).toEqual([
    'connectionId',
    'enabledActions[1]',
    'enabledActions[2]',
    'enabledActions[3]',
    'settings.advancedCode',
  ]);
});

describe('settings', () => {
  it.each<[string, object]>([
    ['nothing', {}],
    ['keys of the owner', { theme: 'dark', limit: { of: 3 } }],
    ['the bounds of a timeout', { advancedCode: { timeoutSeconds: 1 } }],
    ['the other bound', { advancedCode: { timeoutSeconds: 300 } }],
    ['a sandbox with a network', { advancedCode: { network: true } }],
    ['a persistent sandbox', { advancedCode: { sandboxPersistence: 'persistent', storageMountScope: 'end_user' } }],
    ['an external mount', { advancedCode: { storageMountScope: 'external', storageExternalId: 'x' } }],
    ['a persistence scope', { persistence: { scope: 'workspace' } }],
    ['external persistence', { persistence: { scope: 'external', externalId: 'x' } }],
    ['groups without keys', { advancedCode: {}, persistence: {} }],
  ])('may be %s', (_what, settings) => {
    expect(settingsProblems(settings)).toEqual({});
  });

  it.each<[object, string[]]>([
    [{ advancedCode: null }, ['settings.advancedCode']],
    [{ advancedCode: { timeoutSeconds: 0 } }, ['settings.advancedCode.timeoutSeconds']],
    [{ advancedCode: { timeoutSeconds: 301 } }, ['settings.advancedCode.timeoutSeconds']],
    [{ advancedCode: { network: 'yes' } }, ['settings.advancedCode.network']],
    [{ advancedCode: { timeoutSeconds: '5' } }, ['settings.advancedCode.timeoutSeconds']],
    [{ advancedCode: { timeoutSecond: 5 } }, ['settings.advancedCode.timeoutSecond']],
    [{ advancedCode: { sandboxPersistence: 'forever' } }, ['settings.advancedCode.sandboxPersistence']],
    [{ advancedCode: { storageMountScope: 'external' } }, ['settings.advancedCode.storageExternalId']],
    [{ persistence: { scope: 'none' } }, ['settings.persistence.scope']],
    [{ persistence: { scope: 'external' } }, ['settings.persistence.externalId']],
    [{ persistence: { scope: 'external', externalId: '' } }, ['settings.persistence.externalId']],
    [
      { advancedCode: { timeoutSeconds: 0, storageMountScope: 1 }, persistence: [] },
      ['settings.advancedCode.storageMountScope', 'settings.advancedCode.timeoutSeconds', 'settings.persistence'],
    ],
  ])('may not be %j', (settings, paths) => {
    expect(Object.keys(settingsProblems(settings)).sort()).toEqual(paths);
  });
});

it('compares only the named unknown actions with the known ones', () => {
  const costOf = (action: string): number =>
    processorTime(() => problems({ enabledActions: Array.from({ length: 200_000 }, () => action) }));
  expect(costOf('create_issux') / costOf('create_issue')).toBeLessThan(10);
  expect(problems({ enabledActions: Array.from({ length: 150 }, () => 'x') })).toHaveLength(100);
});
