import { type OAuth2Provider, type SendRequest } from '@drawbridge/piece-kit';
import { OAuthFault } from './provider-problem.js';
import { type Asking, basicCredentials } from './request-tokens.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** The part of a stored grant that its revocation needs. */
export interface GrantedTokens {
  accessToken: string;
  refreshToken?: string;
  data?: Record<string, unknown>;
}

/**
 * Revokes a grant through RFC 7009 or the API of the provider. An unknown token (404) counts as revoked. Returns the HTTP status if the provider
 * rejects the revocation. Throws the same errors as `send`, and OAuthFault if a retry may succeed.
 */
export async function revokeGrant(
  { send, provider, app, signal, url }: Asking & { url: string },
  tokens: GrantedTokens,
): Promise<number | undefined> {
  const asked = { url, ...toRequest(provider, app, tokens), timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signal };
  const { status } = await send(asked);
  if (status >= 500 || status === 429)
    throw new OAuthFault(`http_${status}`, `The provider responded with status ${status}`);
  return status < 300 || status === 404 ? undefined : status;
}

function toRequest(
  { revoke, clientAuth }: OAuth2Provider,
  app: Asking['app'],
  tokens: GrantedTokens,
): Omit<SendRequest, 'url'> {
  const { clientId, clientSecret } = app;
  const { method = 'POST', token = 'refresh', tokenParam = 'token', body = 'form', as = 'client' } = revoke!;
  const given = token === 'refresh' ? (tokens.refreshToken ?? tokens.accessToken) : tokens.accessToken;
  const isBasic = as === 'client-basic' || (as === 'client' && clientAuth === 'basic');
  const client: Record<string, string> =
    as === 'client' && !isBasic ? { client_id: clientId, client_secret: clientSecret } : {};
  const authorization = isBasic ? basicCredentials(app) : as === 'bearer' ? `Bearer ${tokens.accessToken}` : undefined;
  const said = { [tokenParam]: given, ...client };
  return {
    method,
    headers: {
      accept: 'application/json',
      'content-type': body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(authorization && { authorization }),
    },
    body: body === 'json' ? JSON.stringify(said) : new URLSearchParams(said).toString(),
  };
}
