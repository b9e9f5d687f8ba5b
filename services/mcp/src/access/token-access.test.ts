import { bearerOf, type FoundAccess } from './token-access.js';

const SERVER: FoundAccess = {
  ...{ id: 's', orgId: 'o', workspaceId: 'w', userId: 'u', name: 'S', description: null, mode: 'CODE' },
  ...{
    approvalWaitSeconds: 0,
    toolDiscovery: 'list',
    authMode: 'oauth_and_bearer',
    endUserAccess: 'restricted',
    version: 0,
  },
  ...{ endUserId: null, endUserRecordId: null, shareId: null, isSuspended: false, suspensionReason: null },
  ...{ isStatic: null, tokenId: null, tokenKind: null, tokenScopes: null, tokenEndUserId: null },
  ...{ tokenEndUserRecordId: null, tokenExpiresAt: null },
};
const [SHARED, OWN] = [{ shareId: 'x' }, { endUserId: 'ann', endUserRecordId: 'r' }];
const issued = (tokenKind: string, scopes = ['mcp:tools', 'mcp:code']): Partial<FoundAccess> => ({
  ...{ isStatic: false, tokenId: 't', tokenKind, tokenScopes: scopes, tokenEndUserId: 'ann' },
  ...{ tokenEndUserRecordId: 'r', tokenExpiresAt: new Date(0) },
});
const ALL = ['mcp:tools', 'mcp:code'];

it.each<[string, Partial<FoundAccess>, object]>([
  ['a shared bearer, as no user', { isStatic: true, ...SHARED }, { id: 's', kind: 'static', scopes: ALL }],
  [
    'the bearer of one end user',
    { isStatic: true, ...OWN },
    { kind: 'static', endUserId: 'ann', endUserRecordId: 'r' },
  ],
  ['a bearer of an end user', issued('bearer'), { id: 't', kind: 'bearer', endUserId: 'ann', scopes: ALL }],
  ['an OAuth token', issued('oauth'), { kind: 'oauth', expiresAt: '1970-01-01T00:00:00.000Z' }],
  ['a token of the one that it is for', { ...issued('bearer'), ...OWN }, { endUserRecordId: 'r' }],
  ['no scope that the mode lacks', { ...issued('bearer'), mode: 'TOOLS' }, { scopes: ['mcp:tools'] }],
  ['no scope that was not asked for', issued('bearer', ['mcp:tools']), { scopes: ['mcp:tools'] }],
])('lets in by %s', (_, found, bearer) => {
  expect(bearerOf({ ...SERVER, ...found })).toMatchObject(bearer);
});

it.each<[string, Partial<FoundAccess>]>([
  ['no token', {}],
  ['another token than the static one', { isStatic: false, ...SHARED }],
  ['a shared bearer without the share', { isStatic: true }],
  ['a static bearer where bearers are off', { isStatic: true, ...SHARED, authMode: 'oauth' }],
  ['a static bearer of an end user who is gone', { isStatic: true, endUserId: 'ann' }],
  ['a bearer where bearers are off', { ...issued('bearer'), authMode: 'oauth' }],
  ['an OAuth token where OAuth is off', { ...issued('oauth'), authMode: 'bearer' }],
  ['a token of another than it is for', { ...issued('bearer'), ...OWN, endUserRecordId: 'other' }],
  ['a token of another of that name', { ...issued('bearer'), endUserId: 'ann' }],
])('refuses %s', (_, found) => {
  expect(bearerOf({ ...SERVER, ...found })).toBeUndefined();
});
