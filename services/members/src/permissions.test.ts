import { newId } from '@drawbridge/contracts';
import { permissionProblems } from './permissions.js';

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
