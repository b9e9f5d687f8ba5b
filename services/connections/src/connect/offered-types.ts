import { type Piece } from '@drawbridge/piece-kit';
import { isNoApp } from '../oauth/choose-oauth-app.js';
import { type OAuthApps } from '../oauth/find-oauth-app.js';

interface Wanted {
  orgId: string;
  integrationName: string;
  workspaceId: string;
  oauthAppId?: string | null;
}

/** Returns the connection types that a user can choose on a page, in the order of the piece. */
export async function offeredTypes(piece: Piece, apps: OAuthApps, wanted: Wanted): Promise<string[]> {
  const { types = [], oauth2, props } = piece.auth ?? {};
  const hasApp = types.includes('OAUTH2') && oauth2 !== undefined && (await isThere(apps, wanted));
  return types.filter((type) => {
    if (type === 'OAUTH2') return hasApp;
    // Without props there is no form for it.
    if (type === 'CUSTOM_AUTH') return props !== undefined;
    return type !== 'PLATFORM_OAUTH2';
  });
}

async function isThere(apps: OAuthApps, { oauthAppId, ...wanted }: Wanted): Promise<boolean> {
  return apps.choose({ ...wanted, oauthAppId: oauthAppId ?? undefined }).then(
    () => true,
    (error: unknown) => {
      if (isNoApp(error)) return false;
      throw error;
    },
  );
}
