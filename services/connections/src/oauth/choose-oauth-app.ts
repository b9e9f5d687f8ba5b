import { ApiError } from '@drawbridge/contracts';
import { findPiece } from '@drawbridge/pieces';
import { requireInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type SealedCredential } from '../envelope-encryption.js';
import { type Parts } from '../parts.js';

export interface WantedApp {
  orgId: string;
  integrationName: string;
  workspaceId?: string | null;
  oauthAppId?: string | null;
}

export interface OAuthApps {
  /** Chooses the app of a new connection. Throws the same errors as `chooseOAuthApp`. */
  choose(wanted: WantedApp): Promise<OAuthApp>;
  /** Returns the app that an existing connection uses, or undefined if it was deleted. A null `id` is the app of the operator. */
  find(known: { orgId: string; integrationName: string; id: string | null }): Promise<OAuthApp | undefined>;
}

type Row = TenantApp & SealedCredential & { clientId: string; scopes: string[] | null };

const COLUMNS = `id, workspace_id AS "workspaceId", is_default AS "isDefault", created_at AS "createdAt", client_id AS "clientId",
  scopes, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;
const OF_PLACES = `SELECT ${COLUMNS} FROM connections.oauth_apps
  WHERE org_id = $1 AND place_id = ANY ($2::uuid[]) AND integration_name = $3`;
const BY_ID = `SELECT ${COLUMNS} FROM connections.oauth_apps WHERE org_id = $1 AND id = $2 AND integration_name = $3`;

type AppSources = Pick<Parts, 'pool' | 'envelope' | 'platform' | 'findPlan'>;

/** Finds OAuth apps and their secrets. Only this module decrypts the secrets. */
export function oauthApps({ pool, envelope, platform, findPlan }: AppSources): OAuthApps {
  const opened = (orgId: string, row: Row): OAuthApp => {
    const { clientSecret } = JSON.parse(envelope.open(row, { orgId, kind: 'oauth app', id: row.id })) as {
      clientSecret: string;
    };
    return { id: row.id, clientId: row.clientId, clientSecret, scopes: row.scopes ?? undefined };
  };
  return {
    async choose({ orgId, integrationName, workspaceId, ...wanted }) {
      const oauthAppId = wanted.oauthAppId?.toLowerCase();
      const places = workspaceId ? [orgId, workspaceId] : [orgId];
      const [{ rows: tenant }, { limits }] = await Promise.all([
        pool.query<Row>(OF_PLACES, [orgId, places, integrationName]),
        findPlan(orgId),
      ]);
      if (oauthAppId !== undefined && !tenant.some(({ id }) => id === oauthAppId))
        await requireNamed(pool, orgId, oauthAppId);
      const chosen = chooseOAuthApp({
        integrationName,
        tenant,
        isTenantAllowed: limits?.tenantOAuthApps ?? false,
        platform: platform.get(integrationName),
        tenantAppOnly: findPiece(integrationName)?.auth?.oauth2?.tenantAppOnly,
        oauthAppId,
      });
      return 'sealed' in chosen ? opened(orgId, chosen) : chosen;
    },

    async find({ orgId, integrationName, id }) {
      if (id === null) return platform.get(integrationName);
      const { rows } = await pool.query<Row>(BY_ID, [orgId, id, integrationName]);
      return rows[0] && opened(orgId, rows[0]);
    },
  };
}

const PLACE = 'SELECT workspace_id AS "workspaceId" FROM connections.oauth_apps WHERE org_id = $1 AND id = $2';

/** Throws SCOPE_DENIED if the app belongs to a workspace outside of the caller's scope. */
async function requireNamed(pool: Pool, orgId: string, id: string): Promise<void> {
  const { rows } = await pool.query<{ workspaceId: string | null }>(PLACE, [orgId, id]);
  requireInScope(...rows.map(({ workspaceId }) => workspaceId));
}

/** An OAuth app of an organization, with the fields that determine which app is preferred. */
export interface TenantApp {
  id: string;
  workspaceId: string | null;
  isDefault: boolean;
  createdAt: Date;
}

export interface AppsThere<Tenant extends TenantApp> {
  integrationName: string;
  /** The apps for this integration that belong to the organization or the workspace. */
  tenant: readonly Tenant[];
  /** True if the plan of the organization allows custom apps. */
  isTenantAllowed: boolean;
  platform?: OAuthApp;
  /** True if the piece forbids the app of the operator for this integration. */
  tenantAppOnly?: boolean;
  /** The id of the app that the request selects. */
  oauthAppId?: string;
}

/**
 * Chooses the OAuth app of a new connection: the requested app, otherwise an app of the organization (apps of the workspace first, then the default,
 * then the newest), otherwise the app of the operator. Throws OAUTH_APP_NOT_FOUND, CUSTOM_OAUTH_APP_PLAN_REQUIRED, TENANT_OAUTH_APP_REQUIRED and
 * NO_OAUTH_APP.
 */
export function chooseOAuthApp<Tenant extends TenantApp>(there: AppsThere<Tenant>): Tenant | OAuthApp {
  const { integrationName, tenant, isTenantAllowed, platform, tenantAppOnly = false, oauthAppId } = there;
  const own = oauthAppId === undefined ? [...tenant].sort(byPlace)[0] : tenant.find(({ id }) => id === oauthAppId);
  if (oauthAppId !== undefined && !isTenantAllowed) throw planRequired();
  if (oauthAppId !== undefined && !own) {
    throw new ApiError(
      'OAUTH_APP_NOT_FOUND',
      `This organization has no OAuth app ${oauthAppId} for ${integrationName}`,
    );
  }
  if (own && isTenantAllowed) return own;
  if (platform && !tenantAppOnly) return platform;
  if (own) throw planRequired();
  if (tenantAppOnly) {
    const message = `${integrationName} requires your own OAuth app. Create it with POST /api/v1/oauth-apps`;
    throw new ApiError('TENANT_OAUTH_APP_REQUIRED', message);
  }
  throw new ApiError(
    'NO_OAUTH_APP',
    `No OAuth app is configured for ${integrationName}. Create one, or set OAUTH_APPS`,
  );
}

/** The codes of errors that mean that no OAuth app can be used. */
const NO_APP = new Set([
  'NO_OAUTH_APP',
  'OAUTH_APP_NOT_FOUND',
  'TENANT_OAUTH_APP_REQUIRED',
  'CUSTOM_OAUTH_APP_PLAN_REQUIRED',
]);

/** Returns true if `chooseOAuthApp` found no usable app. */
export function isNoApp(error: unknown): boolean {
  return error instanceof ApiError && NO_APP.has(error.code);
}

export function planRequired(): ApiError {
  return new ApiError('CUSTOM_OAUTH_APP_PLAN_REQUIRED', 'Your plan does not include custom OAuth apps');
}

function byPlace(a: TenantApp, b: TenantApp): number {
  const nearer = Number(b.workspaceId !== null) - Number(a.workspaceId !== null);
  return nearer || Number(b.isDefault) - Number(a.isDefault) || b.createdAt.getTime() - a.createdAt.getTime();
}

/** An OAuth client that is registered at a provider. */
export interface OAuthApp {
  /** Null for the app of the operator. */
  id: string | null;
  clientId: string;
  clientSecret: string;
  /** Overrides the scopes of the piece. */
  scopes?: string[];
  /** The secret with which the provider signs its requests to the webhook URL of the operator's app. */
  webhookSecret?: string;
}
