import { ApiError } from '@drawbridge/contracts';
import { type OAuthApp } from './oauth-app.js';

/** An organization's app that can be used, with the facts by which apps are ranked. */
export interface TenantApp {
  id: string;
  workspaceId: string | null;
  isDefault: boolean;
  createdAt: Date;
}

export interface AppsThere<Tenant extends TenantApp> {
  integrationName: string;
  /** Apps for this integration, of the organization or of this workspace. */
  tenant: readonly Tenant[];
  /** True if the plan allows the organization's own apps. */
  isTenantAllowed: boolean;
  platform?: OAuthApp;
  /** True if the operator's app cannot serve this integration. */
  tenantAppOnly?: boolean;
  /** The requested app. */
  oauthAppId?: string;
}

/**
 * Chooses the OAuth app of a new connection: the requested one, else the organization's own (the workspace's before the organization's, the default
 * before the newest), else the operator's. Throws OAUTH_APP_NOT_FOUND, CUSTOM_OAUTH_APP_PLAN_REQUIRED, TENANT_OAUTH_APP_REQUIRED and NO_OAUTH_APP.
 */
export function chooseOAuthApp<Tenant extends TenantApp>(there: AppsThere<Tenant>): Tenant | OAuthApp {
  const { integrationName, tenant, isTenantAllowed, platform, tenantAppOnly = false, oauthAppId } = there;
  const own = oauthAppId === undefined ? [...tenant].sort(byPlace)[0] : tenant.find(({ id }) => id === oauthAppId);
  if (oauthAppId !== undefined && !isTenantAllowed) throw planRequired();
  if (oauthAppId !== undefined && !own) {
    throw new ApiError('OAUTH_APP_NOT_FOUND', `There is no OAuth app ${oauthAppId} for ${integrationName} here`);
  }
  if (own && isTenantAllowed) return own;
  if (platform && !tenantAppOnly) return platform;
  if (own) throw planRequired();
  if (tenantAppOnly) {
    const message = `${integrationName} needs an OAuth app of your own: POST /api/v1/oauth-apps`;
    throw new ApiError('TENANT_OAUTH_APP_REQUIRED', message);
  }
  throw new ApiError('NO_OAUTH_APP', `No OAuth app is configured for ${integrationName}`);
}

/** Codes that say that no OAuth app can be used. */
const NO_APP = new Set([
  'NO_OAUTH_APP',
  'OAUTH_APP_NOT_FOUND',
  'TENANT_OAUTH_APP_REQUIRED',
  'CUSTOM_OAUTH_APP_PLAN_REQUIRED',
]);

/** Returns whether `chooseOAuthApp` found no usable app. */
export function isNoApp(error: unknown): boolean {
  return error instanceof ApiError && NO_APP.has(error.code);
}

export function planRequired(): ApiError {
  return new ApiError('CUSTOM_OAUTH_APP_PLAN_REQUIRED', 'The plan allows no OAuth apps of your own');
}

function byPlace(a: TenantApp, b: TenantApp): number {
  const nearer = Number(b.workspaceId !== null) - Number(a.workspaceId !== null);
  return nearer || Number(b.isDefault) - Number(a.isDefault) || b.createdAt.getTime() - a.createdAt.getTime();
}
