import { GRANTS, type Need } from '@drawbridge/contracts';
import { type Permissions } from '@drawbridge/proto/drawbridge/members/v1/api_keys';
import { type Authority, authorize, isInScope, isNoMore, isWithin, workspaceOf } from './authorize.js';
import { type Caller } from './context.js';

const by = (permissions: unknown): Caller =>
  ({ orgId: 'org', userId: 'user', source: 'rest', permissions }) as unknown as Caller;
const ALL = by({ scope: 'org' });
const NEEDED = { path: ['thing', 'workspaceId'], isOptional: false };
const OPTIONAL = { ...NEEDED, isOptional: true };
const IN_ONE = { scope: 'workspace', workspaceIds: ['w1'] };

describe('a call', () => {
  it.each<[string, Need, Caller | undefined, ReturnType<typeof authorize>]>([
    ['that needs nobody, by nobody', 'none', undefined, undefined],
    ['by nobody', 'any', undefined, 'UNAUTHENTICATED'],
    ['by a caller of no organization', 'any', { ...ALL, orgId: '' }, 'UNAUTHENTICATED'],
    ['by who may all', 'workspaces.write', ALL, undefined],
    ['by who has no permissions', 'any', by(undefined), 'FORBIDDEN'],
    ['by who has empty ones', 'any', by({ scope: '' }), 'FORBIDDEN'],
    ['by who has unknown ones', 'any', by({ scope: 'workspaces' }), 'FORBIDDEN'],
    ['by who is of no workspace', 'any', by({ scope: 'workspace', workspaceIds: [] }), 'FORBIDDEN'],
    ['by who does not say of which workspace', 'any', by({ scope: 'workspace' }), 'FORBIDDEN'],
    ['by who is granted it', 'mcp.read', by({ scope: 'org', grants: ['mcp.read'] }), undefined],
    ['by who is granted more of it', 'mcp.read', by({ scope: 'org', grants: ['mcp.write'] }), undefined],
    ['by who is granted less of it', 'mcp.write', by({ scope: 'org', grants: ['mcp.read'] }), 'FORBIDDEN'],
    ['by who is granted another', 'mcp.read', by({ scope: 'org', grants: ['triggers.write'] }), 'FORBIDDEN'],
    ['by who is granted nothing', 'mcp.read', by({ scope: 'org', grants: [] }), 'FORBIDDEN'],
    ['that needs no grant, by who is granted nothing', 'any', by({ scope: 'org', grants: [] }), undefined],
    ['that decides, by who may', 'approvals.decide', by({ scope: 'org', approvals: { decide: true } }), undefined],
    [
      'that decides, by who may not',
      'approvals.decide',
      by({ scope: 'org', approvals: { decide: false } }),
      'FORBIDDEN',
    ],
    ['that decides, by who may all else', 'approvals.decide', ALL, 'FORBIDDEN'],
    [
      'that decides, by who names it a grant',
      'approvals.decide',
      by({ scope: 'org', grants: ['approvals.decide'] }),
      'FORBIDDEN',
    ],
    ['that decides, by who may nothing else', 'approvals.decide', by({ approvals: { decide: true } }), 'FORBIDDEN'],
    ['that needs what nobody knows', 'root' as Need, ALL, 'FORBIDDEN'],
  ])('%s', (_, grant, who, answer) => {
    expect(authorize({ grant }, who, undefined)).toBe(answer);
  });

  it.each<[string, Caller | undefined, ReturnType<typeof authorize>]>([
    ['by the session of such a person', { ...by(undefined), orgId: '', sessionId: 's' }, undefined],
    ['by a session of an organization', { ...ALL, sessionId: 's' }, undefined],
    ['by one that may do nothing there', { ...by(undefined), sessionId: 's' }, 'FORBIDDEN'],
    ['by a key of no organization', { ...ALL, orgId: '' }, 'UNAUTHENTICATED'],
    ['by nobody', undefined, 'UNAUTHENTICATED'],
  ])('that is also for who belongs to no organization, %s', (_, who, answer) => {
    expect(authorize({ grant: 'any', withoutOrganization: true }, who, undefined)).toBe(answer);
  });

  it.each<[string, Caller | undefined, ReturnType<typeof authorize>]>([
    ['by a person without it', { ...ALL, sessionId: 's' }, undefined],
    ['by a person who may do nothing', { ...by(undefined), sessionId: 's' }, 'FORBIDDEN'],
    ['by a person of no organization', { ...ALL, orgId: '', sessionId: 's' }, 'UNAUTHENTICATED'],
    ['by a key without it', ALL, 'FORBIDDEN'],
    ['by nobody', undefined, 'UNAUTHENTICATED'],
  ])('that is also for whom its row names, %s', (_, who, answer) => {
    expect(authorize({ grant: 'approvals.decide', row: true, orNamed: true }, who, undefined)).toBe(answer);
  });

  it.each([
    ['named', NEEDED, { thing: { workspaceId: 'w' } }, undefined],
    ['empty', NEEDED, { thing: { workspaceId: '' } }, 'VALIDATION_ERROR'],
    ['without what would name it', NEEDED, {}, 'VALIDATION_ERROR'],
    ['absent, where it may be', OPTIONAL, { thing: {} }, undefined],
  ])('in a workspace that is %s', (_, workspace, request, answer) => {
    const access = { grant: 'any', workspace } as const;
    expect(authorize(access, ALL, workspaceOf(request, access))).toBe(answer);
  });
});

describe('permissions are within others', () => {
  const decides = { approvals: { decide: true } };
  it.each<[string, Permissions, Permissions, boolean]>([
    ['the same', { scope: 'org' }, { scope: 'org' }, true],
    ['some grants of all', { scope: 'org', grants: ['mcp.read'] }, { scope: 'org' }, true],
    ['all grants of some', { scope: 'org' }, { scope: 'org', grants: [...GRANTS] }, true],
    ['all grants of all but one', { scope: 'org' }, { scope: 'org', grants: GRANTS.slice(0, -1) }, false],
    ['reading of writing', { scope: 'org', grants: ['mcp.read'] }, { scope: 'org', grants: ['mcp.write'] }, true],
    ['writing of reading', { scope: 'org', grants: ['mcp.write'] }, { scope: 'org', grants: ['mcp.read'] }, false],
    ['deciding of all else', { scope: 'org', ...decides }, { scope: 'org' }, false],
    ['deciding of deciding', { scope: 'org', ...decides }, { scope: 'org', ...decides }, true],
    ['a workspace of the organization', IN_ONE, { scope: 'org' }, true],
    ['the organization of a workspace', { scope: 'org' }, IN_ONE, false],
    ['another workspace', { ...IN_ONE, workspaceIds: ['w1', 'w2'] }, IN_ONE, false],
    ['one of several workspaces', IN_ONE, { ...IN_ONE, workspaceIds: ['w2', 'w1'] }, true],
    ['none of none', { scope: 'org', grants: [] }, { scope: 'org', grants: [] }, true],
  ])('%s', (_, wanted, own, is) => {
    expect(isWithin(wanted, own)).toBe(is);
  });
});

describe('who is limited to workspaces', () => {
  it.each<[string, Need, string | undefined, boolean]>([
    ['writes in one of them', 'workspaces.write', 'w1', true],
    ['names one in capital letters', 'workspaces.write', 'W1', true],
    ['reads in no other', 'workspaces.read', 'w2', false],
    ['executes in no other', 'actions.execute', 'w2', false],
    ["reads what is the organization's own", 'connections.read', undefined, true],
    ["writes nothing of the organization's own", 'connections.write', undefined, false],
    ['asks about the organization', 'any', undefined, true],
    ['manages no API keys', 'api_keys.manage', undefined, false],
    ['decides in one of them', 'approvals.decide', 'w1', true],
    ['decides nothing for the whole organization', 'approvals.decide', undefined, false],
  ])('%s', (_, grant, workspaceId, may) => {
    const who = by({ ...IN_ONE, approvals: { decide: true } });
    const access = { grant, workspace: workspaceId === undefined ? undefined : NEEDED };
    expect(authorize(access, who, workspaceId)).toBe(may ? undefined : 'SCOPE_DENIED');
    expect(isInScope(grant, who.permissions, workspaceId)).toBe(may);
  });

  it('is told of the grant first', () => {
    const who = by({ ...IN_ONE, grants: ['workspaces.read'] });
    expect(authorize({ grant: 'workspaces.write', workspace: NEEDED }, who, 'w2')).toBe('FORBIDDEN');
  });

  it('is judged by each row where those say the place', () => {
    expect(authorize({ grant: 'connections.write', row: true }, by(IN_ONE), undefined)).toBeUndefined();
  });

  it('is in no workspace where the scope is unknown', () => {
    expect(isInScope('any', { scope: 'all', workspaceIds: ['w1'] }, 'w1')).toBe(false);
  });
});

const EVERYTHING = { scope: 'org', approvals: { decide: true } };
const SOON = new Date('2030-01-01T00:00:00Z');
const LATER = new Date('2030-01-01T00:00:01Z');
const of = (role?: string, until?: Date | null, permissions: Authority['permissions'] = EVERYTHING): Authority => ({
  permissions,
  role,
  until,
});

it.each<[string, Authority, Authority, boolean]>([
  ['the same', of('admin', null), of('admin', null), true],
  ['a role to a lower one', of('member'), of('admin'), true],
  ['a role to a higher one', of('owner'), of('admin'), false],
  ['an unknown role', of('king'), of('owner'), false],
  ['a role by an unknown one', of('member'), of('king'), false],
  ['what belongs to nobody', of(undefined), of('owner'), false],
  ['anything by nobody', of('member'), of(undefined), false],
  ['a role that is a property of every object', of('member'), of('toString'), false],
  ['more permissions', of('member'), of('owner', null, { scope: 'org' }), false],
  ['fewer permissions', of('member', null, { scope: 'org', grants: [] }), of('member', null, { scope: 'org' }), true],
  ['an earlier end', of('admin', SOON), of('admin', LATER), true],
  ['the same end', of('admin', SOON), of('admin', SOON), true],
  ['a later end', of('admin', LATER), of('admin', SOON), false],
  ['no end by what ends', of('admin', null), of('admin', SOON), false],
  ['no end by what does not', of('admin', null), of('admin', null), true],
  ['no end by a person', of('admin', null), of('admin'), true],
  ['what is a person by what ends', of('admin'), of('admin', SOON), true],
])('hands out, or not: %s', (_, handed, own, isAllowed) => {
  expect(isNoMore(handed, own)).toBe(isAllowed);
});
