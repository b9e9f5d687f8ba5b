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
    ['without a required caller, without a caller', 'none', undefined, undefined],
    ['without a caller', 'any', undefined, 'UNAUTHENTICATED'],
    ['by a caller without an organization', 'any', { ...ALL, orgId: '' }, 'UNAUTHENTICATED'],
    ['by a caller with all permissions', 'workspaces.write', ALL, undefined],
    ['by a caller without permissions', 'any', by(undefined), 'FORBIDDEN'],
    ['by a caller with empty permissions', 'any', by({ scope: '' }), 'FORBIDDEN'],
    ['by a caller with unknown permissions', 'any', by({ scope: 'workspaces' }), 'FORBIDDEN'],
    ['by a caller with an empty list of workspaces', 'any', by({ scope: 'workspace', workspaceIds: [] }), 'FORBIDDEN'],
    ['by a caller with a workspace scope without workspaces', 'any', by({ scope: 'workspace' }), 'FORBIDDEN'],
    ['by a caller with the grant', 'mcp.read', by({ scope: 'org', grants: ['mcp.read'] }), undefined],
    ['by a caller with the write grant for a read', 'mcp.read', by({ scope: 'org', grants: ['mcp.write'] }), undefined],
    [
      'by a caller with the read grant for a write',
      'mcp.write',
      by({ scope: 'org', grants: ['mcp.read'] }),
      'FORBIDDEN',
    ],
    ['by a caller with another grant', 'mcp.read', by({ scope: 'org', grants: ['triggers.write'] }), 'FORBIDDEN'],
    ['by a caller without grants', 'mcp.read', by({ scope: 'org', grants: [] }), 'FORBIDDEN'],
    ['without a required grant, by a caller without grants', 'any', by({ scope: 'org', grants: [] }), undefined],
    [
      'that decides, by a caller that can decide',
      'approvals.decide',
      by({ scope: 'org', approvals: { decide: true } }),
      undefined,
    ],
    [
      'that decides, by who may not',
      'approvals.decide',
      by({ scope: 'org', approvals: { decide: false } }),
      'FORBIDDEN',
    ],
    ['that decides, by a caller with all other permissions', 'approvals.decide', ALL, 'FORBIDDEN'],
    [
      'that decides, by who names it a grant',
      'approvals.decide',
      by({ scope: 'org', grants: ['approvals.decide'] }),
      'FORBIDDEN',
    ],
    [
      'that decides, by a caller without other permissions',
      'approvals.decide',
      by({ approvals: { decide: true } }),
      'FORBIDDEN',
    ],
    ['with an unknown required grant', 'root' as Need, ALL, 'FORBIDDEN'],
  ])('%s', (_, grant, who, answer) => {
    expect(authorize({ grant }, who, undefined)).toBe(answer);
  });

  it.each<[string, Caller | undefined, ReturnType<typeof authorize>]>([
    ['by the session of such a user', { ...by(undefined), orgId: '', sessionId: 's' }, undefined],
    ['by a session of an organization', { ...ALL, sessionId: 's' }, undefined],
    ['by a session without permissions there', { ...by(undefined), sessionId: 's' }, 'FORBIDDEN'],
    ['by a key without an organization', { ...ALL, orgId: '' }, 'UNAUTHENTICATED'],
    ['without a caller', undefined, 'UNAUTHENTICATED'],
  ])('that allows users without an organization, %s', (_, who, answer) => {
    expect(authorize({ grant: 'any', withoutOrganization: true }, who, undefined)).toBe(answer);
  });

  it.each<[string, Caller | undefined, ReturnType<typeof authorize>]>([
    ['by a user without the grant', { ...ALL, sessionId: 's' }, undefined],
    ['by a user without permissions', { ...by(undefined), sessionId: 's' }, 'FORBIDDEN'],
    ['by a user without an organization', { ...ALL, orgId: '', sessionId: 's' }, 'UNAUTHENTICATED'],
    ['by a key without the grant', ALL, 'FORBIDDEN'],
    ['without a caller', undefined, 'UNAUTHENTICATED'],
  ])('that allows users named by its row, %s', (_, who, answer) => {
    expect(authorize({ grant: 'approvals.decide', row: true, orNamed: true }, who, undefined)).toBe(answer);
  });

  it.each([
    ['named', NEEDED, { thing: { workspaceId: 'w' } }, undefined],
    ['empty', NEEDED, { thing: { workspaceId: '' } }, 'VALIDATION_ERROR'],
    ['without its parent message', NEEDED, {}, 'VALIDATION_ERROR'],
    ['absent and optional', OPTIONAL, { thing: {} }, undefined],
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

describe('a caller limited to workspaces', () => {
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

  it('is refused for a missing grant first', () => {
    const who = by({ ...IN_ONE, grants: ['workspaces.read'] });
    expect(authorize({ grant: 'workspaces.write', workspace: NEEDED }, who, 'w2')).toBe('FORBIDDEN');
  });

  it('is authorized for each row if rows determine the workspace', () => {
    expect(authorize({ grant: 'connections.write', row: true }, by(IN_ONE), undefined)).toBeUndefined();
  });

  it('has no workspace if the scope is unknown', () => {
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
  ['a role without an owner', of(undefined), of('owner'), false],
  ['anything without a caller', of('member'), of(undefined), false],
  ['a role that is a property of every object', of('member'), of('toString'), false],
  ['more permissions', of('member'), of('owner', null, { scope: 'org' }), false],
  ['fewer permissions', of('member', null, { scope: 'org', grants: [] }), of('member', null, { scope: 'org' }), true],
  ['an earlier expiry', of('admin', SOON), of('admin', LATER), true],
  ['the same expiry', of('admin', SOON), of('admin', SOON), true],
  ['a later expiry', of('admin', LATER), of('admin', SOON), false],
  ['no expiry by a key with an expiry', of('admin', null), of('admin', SOON), false],
  ['no expiry by a key without an expiry', of('admin', null), of('admin', null), true],
  ['no expiry by a user', of('admin', null), of('admin'), true],
  ['a user by a key with an expiry', of('admin'), of('admin', SOON), true],
])('decides whether to grant %s', (_, handed, own, isAllowed) => {
  expect(isNoMore(handed, own)).toBe(isAllowed);
});
