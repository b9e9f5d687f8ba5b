import { type RequestedScope, scopeIdOf, scopeProblems } from './connection-scope.js';

describe('a scope', () => {
  it.each<[RequestedScope, string[]]>([
    [{}, []],
    [{ scope: 'ORGANIZATION' }, []],
    [{ scope: 'ORGANIZATION', endUserId: 'u' }, []],
    [{ scope: 'WORKSPACE' }, ['workspaceId']],
    [{ scope: 'WORKSPACE', endUserId: 'u' }, ['workspaceId']],
    [{ scope: 'WORKSPACE', workspaceId: 'w' }, []],
    [{ scope: 'USER' }, ['workspaceId', 'endUserId']],
    [{ scope: 'USER', workspaceId: 'w' }, ['endUserId']],
    [{ scope: 'USER', endUserId: 'u' }, ['workspaceId']],
    [{ scope: 'USER', workspaceId: 'w', endUserId: 'u' }, []],
    [{ scope: 'user' }, ['scope']],
    [{ scope: 'toString' }, ['scope']],
  ])('%j lacks %j', (wanted, problems) => {
    expect(Object.keys(scopeProblems(wanted))).toEqual(problems);
  });

  it.each([
    ['ORGANIZATION', 'o'],
    ['WORKSPACE', 'w'],
    ['USER', 'u'],
  ])('%s is that of %s', (scope, id) => {
    expect(scopeIdOf(scope, { orgId: 'o', workspaceId: 'w', endUserRecordId: 'u' })).toBe(id);
  });

  it('without its owner is nowhere', () => {
    expect(() => scopeIdOf('USER', { orgId: 'o', workspaceId: 'w' })).toThrow(
      'A connection of scope USER needs an owner',
    );
  });
});
