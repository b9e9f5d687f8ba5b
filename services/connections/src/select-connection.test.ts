import { type Candidate } from './find-candidates.js';
import { chooseConnection, eligible } from './select-connection.js';

const candidate = (id: string, facts: Partial<Candidate> = {}): Candidate => ({
  id,
  scope: 'ORGANIZATION',
  status: 'ACTIVE',
  suspendedAt: null,
  createdAt: new Date('2026-01-01'),
  generation: 1,
  displayName: id,
  ...facts,
});
const organization = candidate('organization');
const workspace = candidate('workspace', { scope: 'WORKSPACE' });
const user = candidate('user', { scope: 'USER' });
const newer = { createdAt: new Date('2026-01-02') };
const suspended = { suspendedAt: new Date('2026-01-03') };
const failed = { status: 'ERROR' };

describe('the choice', () => {
  it.each<[string, Candidate[], string | undefined]>([
    ['nothing of nothing', [], undefined],
    ['the only one', [organization], 'organization'],
    ["the end user's before the workspace's", [workspace, user], 'user'],
    ["the workspace's before the organization's", [organization, workspace], 'workspace'],
    ["the end user's of all, though the oldest", [candidate('o', newer), { ...workspace, ...newer }, user], 'user'],
    ['the newest of one scope', [candidate('old'), candidate('new', newer), candidate('older')], 'new'],
    ['the later id of the same instant', [candidate('a'), candidate('b')], 'b'],
    ['the usable one behind a suspended one', [{ ...user, ...suspended }, organization], 'organization'],
    ['the usable one behind one in error', [{ ...user, ...failed }, workspace], 'workspace'],
    ['the older usable one', [candidate('new', { ...newer, ...failed }), candidate('old')], 'old'],
  ])('is %s', (_which, candidates, id) => {
    expect(chooseConnection(candidates)?.id).toBe(id);
    expect(chooseConnection([...candidates].reverse())?.id).toBe(id);
  });

  it.each<[string, Candidate[], object]>([
    ['suspended', [{ ...workspace, ...suspended }], { id: 'workspace', obstacle: 'suspended' }],
    ['in error', [{ ...workspace, ...failed }], { id: 'workspace', obstacle: 'error' }],
    ['both', [{ ...workspace, ...failed, ...suspended }], { id: 'workspace', obstacle: 'suspended' }],
    [
      'the nearest of several',
      [
        { ...organization, ...failed },
        { ...user, ...suspended },
      ],
      { id: 'user', obstacle: 'suspended' },
    ],
  ])('explains why the best connection cannot be used: %s', (_why, candidates, choice) => {
    expect(chooseConnection(candidates)).toMatchObject(choice);
  });
});

describe('a strategy', () => {
  const all = [user, workspace, organization];

  it.each<[string, string | undefined, Candidate[], Candidate[]]>([
    ['fixed', 'organization', all, [organization]],
    ['fixed', 'workspace', all, [workspace]],
    ['fixed', 'user', all, []],
    ['fixed', 'gone', all, []],
    ['fixed', undefined, all, []],
    ['per_user', 'workspace', all, [user]],
    ['per_user', undefined, [workspace, organization], []],
    ['per_user_with_fallback', 'workspace', all, [user]],
    ['per_user_with_fallback', 'workspace', [workspace, organization], [workspace]],
    ['per_user_with_fallback', 'workspace', [{ ...user, ...failed }, workspace], [{ ...user, ...failed }]],
    ['per_user_with_fallback', undefined, [workspace], []],
  ])('%s with %s of %j leaves %j', (strategy, connectionId, candidates, left) => {
    expect(eligible(candidates, { strategy, connectionId })).toEqual(left);
  });

  it('that is unknown fails', () => {
    expect(() => eligible(all, { strategy: 'any', connectionId: 'workspace' })).toThrow(
      'Unknown connection strategy any',
    );
  });
});
