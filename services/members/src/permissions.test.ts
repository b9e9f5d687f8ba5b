import { GRANTS, NEEDS, newId } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { isGranted } from '@drawbridge/rpc';
import { permissionProblems, permissionsOfKey, permissionsOfRole } from './permissions.js';

const ids = (count: number): string[] => Array.from({ length: count }, () => newId());

describe('permissions', () => {
  it.each([
    ['of everything', { scope: 'org' }],
    ['of nothing', { scope: 'org', grants: [] }],
    ['of some grants', { scope: 'org', grants: ['actions.execute', 'mcp.write'] }],
    ['of as many workspaces as may be', { scope: 'workspace', workspaceIds: ids(100) }],
  ])('may be %s', (_, permissions) => {
    expect(permissionProblems(permissions)).toEqual({});
  });

  it.each([
    ['of an unknown scope', { scope: 'all' }, ['permissions.scope', 'permissions.workspaceIds']],
    [
      'of unknown grants',
      { scope: 'org', grants: ['mcp.read', 'mcp', '*'] },
      ['permissions.grants[1]', 'permissions.grants[2]'],
    ],
    ['of the right to decide as a grant', { scope: 'org', grants: ['approvals.decide'] }, ['permissions.grants[0]']],
    ['of the organization and a workspace', { scope: 'org', workspaceIds: ids(1) }, ['permissions.workspaceIds']],
    ['of workspaces, of which none is named', { scope: 'workspace' }, ['permissions.workspaceIds']],
    ['of no workspace', { scope: 'workspace', workspaceIds: [] }, ['permissions.workspaceIds']],
    ['of too many workspaces', { scope: 'workspace', workspaceIds: ids(101) }, ['permissions.workspaceIds']],
  ])('are not %s', (_, permissions, paths) => {
    expect(Object.keys(permissionProblems(permissions)).sort()).toEqual(paths);
  });
});

const WORKSPACES = { scope: 'workspace', workspaceIds: ['w'] };
const GIVEN: Permissions[] = [
  { scope: 'org' },
  { scope: 'org', approvals: { decide: true } },
  { scope: 'org', grants: [] },
  { scope: 'org', grants: ['workspaces.write', 'actions.execute'] },
  { ...WORKSPACES, approvals: { decide: true } },
  { ...WORKSPACES, grants: ['connections.read'] },
  { scope: '' },
];

describe.each(GIVEN)('a key that was given %j', (given) => {
  it.each(['owner', 'admin'])('keeps its permissions while its user is %s', (role) => {
    expect(permissionsOfKey(given, role)).toEqual(given);
  });

  it('can do what a member can, if it could before', () => {
    const permissions = permissionsOfKey(given, 'member');
    const own = permissionsOfRole('member');
    for (const need of NEEDS)
      expect([need, isGranted(need, permissions)]).toEqual([need, isGranted(need, given) && isGranted(need, own)]);
    expect(permissions).toMatchObject({ scope: given.scope, ...(given.workspaceIds && WORKSPACES) });
  });

  it('may do nothing while the role of its user is not known', () => {
    const permissions = permissionsOfKey(given, 'king');
    for (const need of GRANTS) expect(isGranted(need, permissions)).toBe(false);
  });
});

it('keeps the read permission of a removed write permission', () => {
  const permissions = permissionsOfKey({ scope: 'org', grants: ['workspaces.write'] }, 'member');
  expect(permissions.grants).toEqual(['workspaces.read']);
});

it.each(['owner', 'admin'])('lets an %s do everything', (role) => {
  expect(permissionsOfRole(role)).toEqual({ scope: 'org', approvals: { decide: true } });
});

it('lets a member read everything and execute actions', () => {
  const { scope, approvals, grants = [] } = permissionsOfRole('member');
  expect({ scope, approvals }).toEqual({ scope: 'org' });
  expect(grants).toContain('actions.execute');
  expect(grants).toContain('workspaces.read');
  expect(grants.filter((grant) => /\.(write|manage)$/.test(grant))).toEqual([]);
});

it.each([undefined, '', 'Owner', 'superuser'])('lets a role that is not known do nothing: %s', (role) => {
  expect(permissionsOfRole(role)).toEqual({ scope: '' });
});
