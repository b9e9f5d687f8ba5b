import { type OAuth2Provider, type SendRequest } from '@drawbridge/piece-kit';
import { type Asking } from './token-request.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export interface GrantedTokens {
  accessToken: string;
  refreshToken?: string;
}

/**
 * Gives a grant back where the provider takes one back (RFC 7009, or its own way of it): whether it did. A token that it does not
 * know is given back as well. Rejects as `send` does.
 */
export async function revokeGrant({ send, provider, app }: Asking, tokens: GrantedTokens): Promise<boolean> {
  if (!provider.revoke) return true;
  const { status } = await send({ ...toRequest(provider, app, tokens), timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
  return status < 500 && status !== 429;
}

function toRequest(
  { revoke, clientAuth }: OAuth2Provider,
  { clientId, clientSecret }: Asking['app'],
  tokens: GrantedTokens,
): SendRequest {
  const { url, method = 'POST', token = 'refresh', tokenParam = 'token', body = 'form', as = 'client' } = revoke!;
  const given = token === 'refresh' ? (tokens.refreshToken ?? tokens.accessToken) : tokens.accessToken;
  const isBasic = as === 'client-basic' || (as === 'client' && clientAuth === 'basic');
  const client: Record<string, string> =
    as === 'client' && !isBasic ? { client_id: clientId, client_secret: clientSecret } : {};
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
  const authorization = isBasic ? `Basic ${basic}` : as === 'bearer' ? `Bearer ${tokens.accessToken}` : undefined;
  const said = { [tokenParam]: given, ...client };
  return {
    method,
    url: url.replace('{client_id}', encodeURIComponent(clientId)),
    headers: {
      accept: 'application/json',
      'content-type': body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...(authorization && { authorization }),
    },
    body: body === 'json' ? JSON.stringify(said) : new URLSearchParams(said).toString(),
  };
}
