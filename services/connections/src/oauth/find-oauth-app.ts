import { findPiece } from '@drawbridge/pieces';
import { requireInScope } from '@drawbridge/rpc';
import { type Pool } from 'pg';
import { type Envelope, type SealedCredential } from '../envelope-encryption.js';
import { type FindPlan } from '../plan.js';
import { chooseOAuthApp, type TenantApp } from './choose-oauth-app.js';
import { type OAuthApp } from './oauth-app.js';
import { type PlatformApps } from './platform-apps.js';

export interface WantedApp {
  orgId: string;
  integrationName: string;
  workspaceId?: string | null;
  oauthAppId?: string;
}

export interface OAuthApps {
  /** Chooses the app of a new connection. Throws as `chooseOAuthApp` does. */
  choose(wanted: WantedApp): Promise<OAuthApp>;
  /** Returns the app that was chosen before; undefined if it was deleted. `id` null: the operator's. */
  find(known: { orgId: string; integrationName: string; id: string | null }): Promise<OAuthApp | undefined>;
}

type Row = TenantApp & SealedCredential & { clientId: string; scopes: string[] | null };

const COLUMNS = `id, workspace_id AS "workspaceId", is_default AS "isDefault", created_at AS "createdAt", client_id AS "clientId",
  scopes, sealed, wrapped_key AS "wrappedKey", master_key_id AS "masterKeyId"`;
const OF_PLACES = `SELECT ${COLUMNS} FROM connections.oauth_apps
  WHERE org_id = $1 AND place_id = ANY ($2::uuid[]) AND integration_name = $3`;
const BY_ID = `SELECT ${COLUMNS} FROM connections.oauth_apps WHERE org_id = $1 AND id = $2 AND integration_name = $3`;

export interface AppSources {
  pool: Pool;
  envelope: Envelope;
  platform: PlatformApps;
  findPlan: FindPlan;
}

/** Finds OAuth apps and their secrets. Only this module decrypts them. */
export function oauthApps({ pool, envelope, platform, findPlan }: AppSources): OAuthApps {
  const opened = (orgId: string, row: Row): OAuthApp => {
    const { clientSecret } = JSON.parse(envelope.open(row, { orgId, kind: 'oauth app', id: row.id })) as {
      clientSecret: string;
    };
    return { id: row.id, clientId: row.clientId, clientSecret, scopes: row.scopes ?? undefined };
  };
  return {
    async choose({ orgId, integrationName, workspaceId, oauthAppId }) {
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

/** Throws SCOPE_DENIED for an app of a workspace that is outside of the caller's scope. */
async function requireNamed(pool: Pool, orgId: string, id: string): Promise<void> {
  const { rows } = await pool.query<{ workspaceId: string | null }>(PLACE, [orgId, id]);
  requireInScope(...rows.map(({ workspaceId }) => workspaceId));
}
