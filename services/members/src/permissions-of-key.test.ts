import { GRANTS, NEEDS } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { isGranted } from '@drawbridge/rpc';
import { permissionsOfKey } from './permissions-of-key.js';
import { permissionsOfRole } from './permissions-of-role.js';

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
  it.each(['owner', 'admin'])('keeps it while its user is %s', (role) => {
    expect(permissionsOfKey(given, role)).toEqual(given);
  });

  it('may do what a member may too, where it could before', () => {
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

it('holds the reading half of what it may no longer write', () => {
  const permissions = permissionsOfKey({ scope: 'org', grants: ['workspaces.write'] }, 'member');
  expect(permissions.grants).toEqual(['workspaces.read']);
});
