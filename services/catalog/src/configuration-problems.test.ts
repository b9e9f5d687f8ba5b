import { Connection } from '@drawbridge/proto/drawbridge/connections/v1/connections';
import { configurationProblems, type RequestedConfiguration } from './configuration-problems.js';

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
