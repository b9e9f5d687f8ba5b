import { type Grant } from '@drawbridge/contracts';
import { authorize, workspaceOf } from './authorize.js';
import { type Caller } from './context.js';

const by = (permissions: unknown): Caller =>
  ({ orgId: 'org', userId: 'user', source: 'rest', permissions }) as unknown as Caller;
const NEEDED = { path: ['thing', 'workspaceId'], isOptional: false };
const OPTIONAL = { ...NEEDED, isOptional: true };

describe('a call', () => {
  it.each<[string, Grant, Caller | undefined, ReturnType<typeof authorize>]>([
    ['that needs nobody, by nobody', 'none', undefined, undefined],
    ['by nobody', 'org', undefined, 'UNAUTHENTICATED'],
    ['by a caller of no organization', 'org', { ...by({ scope: 'org' }), orgId: '' }, 'UNAUTHENTICATED'],
    ['by who may all', 'org', by({ scope: 'org' }), undefined],
    ['by who has no permissions', 'org', by(undefined), 'FORBIDDEN'],
    ['by who has empty ones', 'org', by({ scope: '' }), 'FORBIDDEN'],
    ['by who has unknown ones', 'org', by({ scope: 'workspaces' }), 'FORBIDDEN'],
    ['that decides, by who may', 'approvals.decide', by({ scope: 'org', approvals: { decide: true } }), undefined],
    [
      'that decides, by who may not',
      'approvals.decide',
      by({ scope: 'org', approvals: { decide: false } }),
      'FORBIDDEN',
    ],
    ['that decides, by who may all else', 'approvals.decide', by({ scope: 'org' }), 'FORBIDDEN'],
    ['that decides, by who may nothing else', 'approvals.decide', by({ approvals: { decide: true } }), 'FORBIDDEN'],
    ['that needs what nobody knows', 'root' as Grant, by({ scope: 'org' }), 'FORBIDDEN'],
  ])('%s', (_, grant, who, answer) => {
    expect(authorize({ grant }, who, undefined)).toBe(answer);
  });

  it.each([
    ['named', NEEDED, { thing: { workspaceId: 'w' } }, undefined],
    ['empty', NEEDED, { thing: { workspaceId: '' } }, 'VALIDATION_ERROR'],
    ['without what would name it', NEEDED, {}, 'VALIDATION_ERROR'],
    ['absent, where it may be', OPTIONAL, { thing: {} }, undefined],
  ])('in a workspace that is %s', (_, workspace, request, answer) => {
    const access = { grant: 'org', workspace } as const;
    expect(authorize(access, by({ scope: 'org' }), workspaceOf(request, access))).toBe(answer);
  });
});
