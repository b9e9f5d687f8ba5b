import { type AppsThere, chooseOAuthApp, type TenantApp } from './choose-oauth-app.js';

const app = (id: string, fields: Partial<TenantApp> = {}): TenantApp => ({
  id,
  workspaceId: null,
  isDefault: false,
  createdAt: new Date(0),
  ...fields,
});
const OLDER = app('older');
const NEWER = app('newer', { createdAt: new Date(1) });
const DEFAULT = app('default', { isDefault: true });
const OF_WORKSPACE = app('of-workspace', { workspaceId: 'w' });
const PLATFORM = { id: null, clientId: 'p', clientSecret: 's' };

const there = (fields: Partial<AppsThere<TenantApp>>): AppsThere<TenantApp> => ({
  integrationName: 'github',
  tenant: [],
  isTenantAllowed: true,
  ...fields,
});

it.each<[string, Partial<AppsThere<TenantApp>>, string | null]>([
  ['the newest', { tenant: [OLDER, NEWER] }, 'newer'],
  ['the default before the newest', { tenant: [NEWER, DEFAULT] }, 'default'],
  ["the workspace's before the organization's default", { tenant: [DEFAULT, OF_WORKSPACE] }, 'of-workspace'],
  ["the organization's before the operator's", { tenant: [OLDER], platform: PLATFORM }, 'older'],
  ['the one that was asked for', { tenant: [OLDER, DEFAULT], oauthAppId: 'older' }, 'older'],
  ["the operator's where there is no other", { platform: PLATFORM }, null],
  [
    "the operator's where the plan allows no other",
    { tenant: [OLDER], isTenantAllowed: false, platform: PLATFORM },
    null,
  ],
  [
    "the organization's where the operator's can't serve",
    { tenant: [OLDER], platform: PLATFORM, tenantAppOnly: true },
    'older',
  ],
])('takes %s', (_, fields, id) => {
  expect(chooseOAuthApp(there(fields)).id).toBe(id);
});

it.each<[string, Partial<AppsThere<TenantApp>>, string]>([
  ['there is none', {}, 'NO_OAUTH_APP'],
  ['it is not there', { tenant: [OLDER], platform: PLATFORM, oauthAppId: 'x' }, 'OAUTH_APP_NOT_FOUND'],
  [
    'the plan does not allow the one asked for',
    { tenant: [OLDER], isTenantAllowed: false, oauthAppId: 'older' },
    'CUSTOM_OAUTH_APP_PLAN_REQUIRED',
  ],
  [
    'the plan does not allow what there is',
    { tenant: [OLDER], isTenantAllowed: false },
    'CUSTOM_OAUTH_APP_PLAN_REQUIRED',
  ],
  ["the operator's can't serve", { platform: PLATFORM, tenantAppOnly: true }, 'TENANT_OAUTH_APP_REQUIRED'],
])('refuses where %s', (_, fields, code) => {
  expect(() => chooseOAuthApp(there(fields))).toThrow(expect.objectContaining({ code }));
});
