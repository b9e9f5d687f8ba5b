import { pieces } from '@drawbridge/pieces';
import { type OAuthStatus } from '@drawbridge/proto/drawbridge/connections/v1/oauth_apps';
import { caller, workspacesInScope } from '@drawbridge/rpc';
import { type Db } from '../database.js';
import { type PlatformApps } from './platform-apps.js';

/** Apps of one organization. All are read to list their integrations. */
export const MAX_APPS = 200;

/** Returns the integrations for which the operator has an app, or the organization has one that this caller may use. */
export async function oauthStatus(db: Db, platform: PlatformApps): Promise<OAuthStatus> {
  const own = workspacesInScope();
  const places = own && { OR: [{ workspaceId: null }, { workspaceId: { in: own } }] };
  const where = { orgId: caller().orgId, ...places };
  const newest = { orderBy: { createdAt: 'desc' }, take: MAX_APPS } as const;
  const rows = await db.oAuthApp.findMany({ where, ...newest, select: { integrationName: true } });
  const names = [...platform.keys(), ...rows.map(({ integrationName }) => integrationName)];
  return { configured: [...new Set(names)].filter((name) => Object.hasOwn(pieces, name)).sort() };
}
