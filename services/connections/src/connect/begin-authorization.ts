import { randomBytes } from 'node:crypto';
import { hashToken, invalid } from '@drawbridge/contracts';
import { type Egress } from '@drawbridge/egress';
import { type Piece } from '@drawbridge/piece-kit';
import { type Pool } from 'pg';
import { authorizationUrl } from '../oauth/authorization.js';
import { type OAuthApps } from '../oauth/find-oauth-app.js';
import { OPEN } from './end-session.js';
import { type FoundSession } from './find-session.js';
import { type StoreNeeds } from './store-connection.js';

export interface FlowNeeds extends StoreNeeds {
  pool: Pool;
  egress: Egress;
  apps: OAuthApps;
  /** Where an origin is reached. */
  at(url: URL): URL;
}

/** A browser that is sent to a provider. */
export interface SentBrowser {
  /** It alone has it. */
  secret: string;
  /** Where it comes back to. */
  redirectUri: string;
}

const NONCE_BYTES = 32;

const BEGIN = `
  UPDATE connections.connect_sessions SET status = 'PENDING', browser_hash = $3, nonce = $4, asked_app_id = $5,
    asked_until = now() + interval '30 minutes', updated_at = now()
  WHERE org_id = $1 AND id = $2 AND ${OPEN} AND expires_at > now()`;

/** Where the browser asks the provider. Throws VALIDATION_ERROR, and what `apps.choose` throws. */
export async function beginAuthorization(
  session: FoundSession,
  { name, auth }: Piece,
  { secret, redirectUri }: SentBrowser,
  { pool, apps, at }: FlowNeeds,
): Promise<string> {
  const provider = auth?.types.includes('OAUTH2') ? auth.oauth2 : undefined;
  if (!provider) throw invalid({ type: `${name} is not connected by OAUTH2` });
  const { orgId, id, integrationName, workspaceId, oauthAppId } = session;
  const app = await apps.choose({ orgId, integrationName, workspaceId, oauthAppId: oauthAppId ?? undefined });
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const { rowCount } = await pool.query(BEGIN, [orgId, id, hashToken(secret), nonce, app.id]);
  if (rowCount === 0) throw invalid({ type: 'the session has ended' });
  const { state, codeVerifier } = derived({ sessionId: id, secret, nonce });
  const url = await authorizationUrl(provider, app, {
    redirectUri,
    state,
    codeVerifier: provider.pkce ? codeVerifier : undefined,
    at,
  });
  return url.href;
}

/**
 * What is sent to the provider, and what proves that it came back to the same browser. Of the two that it is made of the browser has
 * one and the database the other: neither alone can tell them. The session's id says to which cookie an answer belongs.
 */
export function derived({ sessionId, secret, nonce }: { sessionId: string; secret: string; nonce: string }) {
  return {
    state: `${sessionId}.${hashToken(`state ${nonce} ${secret}`)}`,
    codeVerifier: hashToken(`verifier ${nonce} ${secret}`),
  };
}
