import { cutText } from '@drawbridge/contracts';
import { EgressError, type Send } from '@drawbridge/egress';
import { type OAuth2Provider } from '@drawbridge/piece-kit';
import * as oauth from 'oauth4webapi';
import { serverOf, wantedScopes } from './authorization.js';
import { type OAuthApp } from './choose-oauth-app.js';
import { isFree, OAuthFault, OAuthRefusal, shownWords } from './provider-problem.js';
import { type TokenAnswer, toTokenAnswer } from './token-answer.js';

/** The tokens that a provider granted, before encryption. */
export interface TokenGrant {
  accessToken: string;
  refreshToken?: string;
  tokenType: string;
  /** Lifetime of the access token in seconds. Absent if the token is used until the provider rejects it. */
  expiresIn?: number;
  /** The granted scope, which can be smaller than the requested scope. */
  scope?: string;
  data: Record<string, string | number | boolean>;
}

const MAX_TOKEN_BYTES = 16 * 1024;
/** Matches an error code that can be returned to users: some of the characters that RFC 6749, section 5.2, allows. */
const CODE = /^[\w.:\-/ ]{1,100}$/;

/**
 * Exchanges the code of a callback for tokens (RFC 6749, section 4.1.3). `callback` must be a result of `judgeCallback`. Throws OAuthRefusal, and
 * OAuthFault if the result is unknown.
 */
export async function exchangeCode(
  asking: Asking,
  { callback, redirectUri, codeVerifier }: { callback: URLSearchParams; redirectUri: string; codeVerifier?: string },
): Promise<TokenGrant> {
  const secrets = [asking.app.clientSecret, callback.get('code') ?? '', codeVerifier ?? ''];
  const { as, client, auth, options, asked } = askToken(asking);
  return judge(asked, secrets, async () => {
    const verifier = codeVerifier ?? oauth.nopkce;
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      auth,
      callback,
      redirectUri,
      verifier,
      options,
    );
    return oauth.processAuthorizationCodeResponse(as, client, response);
  });
}

/**
 * Requests a new access token (RFC 6749, section 6). If the response contains no refresh token, the current one remains valid and is returned. Throws
 * the same errors as `exchangeCode`.
 */
export async function refreshGrant(asking: Asking, refreshToken: string): Promise<TokenGrant> {
  const { provider, app } = asking;
  const { as, client, auth, options, asked } = askToken(asking);
  const additionalParameters: Record<string, string> = provider.scopeOnRefresh
    ? { scope: wantedScopes(provider, app) }
    : {};
  const grant = await judge(asked, [app.clientSecret, refreshToken], async () => {
    const response = await oauth.refreshTokenGrantRequest(as, client, auth, refreshToken, {
      ...options,
      additionalParameters,
    });
    return oauth.processRefreshTokenResponse(as, client, response);
  });
  return { ...grant, refreshToken: grant.refreshToken ?? refreshToken };
}

/** Returns the string to encrypt. It omits the lifetime, which is stored in a separate column, calculated with the clock of the database. */
export function toStoredGrant({ accessToken, refreshToken, tokenType, scope, data }: TokenGrant): string {
  return JSON.stringify({ accessToken, refreshToken, tokenType, scope, data });
}

/** Returns true if a failed refresh means that the grant is permanently invalid. */
export function isGrantRefused({ grantRefusedWhen = [] }: OAuth2Provider, error: unknown): error is OAuthRefusal {
  return error instanceof OAuthRefusal && ['invalid_grant', ...grantRefusedWhen].includes(error.code);
}

async function judge(
  asked: AskedAnswer,
  secrets: string[],
  ask: () => Promise<oauth.TokenEndpointResponse>,
): Promise<TokenGrant> {
  const tokens = await ask().catch((error: unknown) => {
    throw toProblem(error, secrets);
  });
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn, scope } = tokens;
  if (![accessToken, refreshToken ?? ''].every(isSendable)) {
    throw new OAuthRefusal('invalid_response', 'The provider returned a token that cannot be sent in a header');
  }
  const { tokenType = 'Bearer', kept: data } = asked.answer!;
  return {
    accessToken,
    refreshToken,
    tokenType: cutText(tokenType, 100),
    expiresIn,
    scope: scope && cutText(scope, 10_000),
    data,
  };
}

/** Allows only visible ASCII characters, because other characters could inject another header. */
function isSendable(token: string): boolean {
  return token.length <= MAX_TOKEN_BYTES && /^[\x21-\x7e]*$/.test(token);
}

function toProblem(error: unknown, secrets: string[]): unknown {
  if (error instanceof OAuthFault || error instanceof OAuthRefusal) return error;
  if (error instanceof oauth.ResponseBodyError) {
    const code =
      CODE.test(error.error) && isFree(error.error, secrets, error.error.length) ? error.error : 'invalid_response';
    return new OAuthRefusal(
      code,
      shownWords(error.error_description, secrets) ?? `The provider refused the request: ${code}`,
    );
  }
  if (error instanceof oauth.OperationProcessingError) {
    return new OAuthFault('invalid_response', 'The response of the provider has no tokens');
  }
  return error;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 256 * 1024;

export interface Asking {
  send: Send;
  provider: OAuth2Provider;
  app: OAuthApp;
  signal?: AbortSignal;
}

/** The response of the provider. Absent until it arrives. */
interface AskedAnswer {
  answer?: TokenAnswer;
}

/**
 * Prepares a request to a token endpoint: the client, its authentication, and a `fetch` that sends requests through egress in the format of the
 * provider.
 */
function askToken({ send, provider, app, signal }: Asking) {
  const asked: AskedAnswer = {};
  const isBasic = provider.clientAuth === 'basic';
  const auth = isBasic ? asBasic(app) : oauth.ClientSecretPost(app.clientSecret);
  const options = {
    signal,
    // Disables the check of the OAuth library for https, because egress decides which addresses are reachable, and an operator can map an origin to
    // plain HTTP.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: asFetch(send, provider, asked),
  };
  return { as: serverOf(provider), client: { client_id: app.clientId }, auth, options, asked };
}

function asBasic(app: OAuthApp): oauth.ClientAuth {
  return (_server, _client, _body, headers) => headers.set('authorization', basicCredentials(app));
}

type Fetch = (url: string, request: oauth.CustomFetchOptions<'POST', URLSearchParams>) => Promise<Response>;

function asFetch(send: Send, provider: OAuth2Provider, asked: AskedAnswer): Fetch {
  return async (url, { method, headers, body, signal }) => {
    const isJson = provider.tokenBody === 'json';
    const answer = await send({
      method,
      url,
      headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
      body: isJson ? JSON.stringify(Object.fromEntries(body)) : body.toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    }).catch((error: unknown) => {
      throw error instanceof EgressError ? new OAuthFault(error.code, error.message) : error;
    });
    if (answer.status >= 500 || answer.status === 429) {
      throw new OAuthFault(
        `http_${answer.status}`,
        `The provider's token endpoint responded with status ${answer.status}`,
      );
    }
    asked.answer = toTokenAnswer(provider, answer);
    const json = { status: asked.answer.status, headers: { 'content-type': 'application/json' } };
    return new Response(JSON.stringify(asked.answer.body), json);
  };
}

/**
 * Returns the HTTP Basic credentials of an app (RFC 6749, section 2.3.1). The id and the secret are escaped as little as possible, because many
 * providers do not unescape them. They would treat a `secret_…` with an escaped `_` as a different secret.
 */
export function basicCredentials({ clientId, clientSecret }: Pick<OAuthApp, 'clientId' | 'clientSecret'>): string {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
