import { randomBytes } from 'node:crypto';
import { hashToken, invalid } from '@drawbridge/contracts';
import { type Piece } from '@drawbridge/piece-kit';
import { accountOf, accountProblems, providerAt, valueProblem } from '../oauth/account-addresses.js';
import { authorizationUrl } from '../oauth/authorization.js';
import { type Parts } from '../parts.js';
import { type FoundSession, OPEN } from './stored-session.js';

/** The browser that is redirected to a provider. */
export interface SentBrowser {
  /** A secret that is stored only in this browser. */
  secret: string;
  /** The URI to which the provider redirects the browser after the authorization. */
  redirectUri: string;
}

interface Beginning extends SentBrowser {
  /** The values of the account that the endpoint URLs of the provider contain, for example a subdomain. */
  account: Record<string, string>;
}

const NONCE_BYTES = 32;

const BEGIN = `
  UPDATE connections.connect_sessions SET status = 'PENDING', browser_hash = $3, nonce = $4, asked_app_id = $5, asked_account = $6,
    asked_until = now() + interval '30 minutes', updated_at = now()
  WHERE org_id = $1 AND id = $2 AND ${OPEN} AND expires_at > now()`;

/**
 * Starts an authorization and returns the authorization URL of the provider. Stores the account values with the nonce, so that the callback requests
 * the token from the same account. Throws VALIDATION_ERROR, and the errors of `apps.choose`.
 */
export async function beginAuthorization(
  session: FoundSession,
  piece: Piece,
  { secret, redirectUri, account: given }: Beginning,
  { pool, apps, at }: Parts,
): Promise<string> {
  const { account, provider } = requireProvider(piece, given);
  const { orgId, id } = session;
  const app = await apps.choose(session);
  const nonce = randomBytes(NONCE_BYTES).toString('base64url');
  const { rowCount } = await pool.query(BEGIN, [orgId, id, hashToken(secret), nonce, app.id, account]);
  if (rowCount === 0) throw invalid({ token: 'the connect session has ended. Create a new one' });
  const { state, codeVerifier } = derived({ sessionId: id, secret, nonce });
  const url = await authorizationUrl(provider, app, {
    redirectUri,
    state,
    codeVerifier: provider.pkce ? codeVerifier : undefined,
    at,
  });
  return url.href;
}

/** Returns the OAuth provider with the endpoint URLs of the account, and the account values that the piece declares. Throws VALIDATION_ERROR. */
function requireProvider(piece: Piece, given: Record<string, string>) {
  const account = accountOf(piece, given);
  const problems = { ...valueProblem(() => providerAt(piece, account)), ...accountProblems(piece, 'OAUTH2', account) };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  const provider = piece.auth?.types.includes('OAUTH2') ? providerAt(piece, account) : undefined;
  if (!provider) throw invalid({ type: `${piece.name} does not support OAUTH2 connections` });
  return { account, provider };
}

/**
 * Derives the `state` parameter, and the PKCE verifier that binds the authorization code to the browser. Both values need the secret of the browser
 * and the nonce in the database, so stealing only one of these two is useless. The session id in `state` identifies the cookie that a callback
 * belongs to.
 */
export function derived({ sessionId, secret, nonce }: { sessionId: string; secret: string; nonce: string }) {
  return {
    state: `${sessionId}.${hashToken(`state ${nonce} ${secret}`)}`,
    codeVerifier: hashToken(`verifier ${nonce} ${secret}`),
  };
}
