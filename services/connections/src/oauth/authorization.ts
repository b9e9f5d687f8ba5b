import { type OAuth2Provider } from '@drawbridge/piece-kit';
import * as oauth from 'oauth4webapi';
import { type OAuthApp } from './choose-oauth-app.js';
import { OAuthRefusal, shownWords } from './provider-problem.js';

/**
 * Returns the URL of the authorization request (RFC 6749, section 4.1.1). `at` replaces the origin of the provider as ORIGIN_MAP configures, so that
 * browsers are redirected to the same server that this process calls.
 */
export async function authorizationUrl(
  provider: OAuth2Provider,
  app: OAuthApp,
  request: { redirectUri: string; state: string; codeVerifier?: string; at(url: URL): URL },
): Promise<URL> {
  const { redirectUri, state, codeVerifier, at } = request;
  const { scopeParam = 'scope', authParams = {} } = provider;
  const scopes = wantedScopes(provider, app);
  const url = at(new URL(provider.authUrl));
  const asked = {
    ...authParams,
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    state,
    ...(scopes !== '' && { [scopeParam]: scopes }),
    ...(codeVerifier && {
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url;
}

/**
 * Validates that a callback belongs to the request with this `state` and comes from the provider that received the request (RFC 9207), and returns
 * its parameters. Throws OAuthRefusal: with the provider's code if the provider or the user declined, and with `invalid_state`, `invalid_issuer` or
 * `invalid_response` if the callback cannot be trusted.
 */
export function judgeCallback(
  provider: OAuth2Provider,
  app: Pick<OAuthApp, 'clientId'>,
  { parameters, state }: { parameters: URLSearchParams; state: string },
): URLSearchParams {
  if (parameters.get('state') !== state)
    throw new OAuthRefusal('invalid_state', 'The state of the redirect does not match the request');
  const as = serverOf(provider, parameters.get('iss'));
  if ((parameters.get('iss') ?? as.issuer) !== as.issuer) {
    throw new OAuthRefusal('invalid_issuer', 'The redirect came from an unexpected issuer');
  }
  try {
    const judged = oauth.validateAuthResponse(as, { client_id: app.clientId }, parameters, state);
    const [code, ...others] = judged.getAll('code');
    if (!code || others.length > 0)
      throw new OAuthRefusal('invalid_response', 'The provider must send exactly one code');
    return judged;
  } catch (error) {
    if (error instanceof OAuthRefusal) throw error;
    throw toRefusal(error);
  }
}

/** Returns the scopes to request, in the format of the provider. Scopes of the app override the scopes of the piece. */
export function wantedScopes({ scopes, scopeSeparator = ' ' }: OAuth2Provider, app: Pick<OAuthApp, 'scopes'>): string {
  return (app.scopes ?? scopes).join(scopeSeparator);
}

/** Converts a provider for the OAuth library. If the piece declares no issuer, accepts any issuer with the origin of the authorization URL. */
export function serverOf(provider: OAuth2Provider, named?: string | null): oauth.AuthorizationServer {
  const { origin } = new URL(provider.authUrl);
  const isThere = named && URL.canParse(named) && new URL(named).origin === origin;
  return { issuer: provider.issuer ?? (isThere ? named : origin), token_endpoint: provider.tokenUrl };
}

function toRefusal(error: unknown): OAuthRefusal {
  if (!(error instanceof oauth.AuthorizationResponseError)) {
    return new OAuthRefusal('invalid_response', 'The provider redirected the browser with invalid parameters');
  }
  const { error: said, error_description: description } = error;
  const code = /^[\w.\-]{1,100}$/.test(said) ? said : 'invalid_response';
  const isDenied = code === 'access_denied';
  return new OAuthRefusal(
    code,
    shownWords(description, []) ?? (isDenied ? 'Access was denied' : `The provider refused the request: ${code}`),
  );
}
