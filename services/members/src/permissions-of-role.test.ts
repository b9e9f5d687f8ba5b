import { permissionsOfRole } from './permissions-of-role.js';

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
