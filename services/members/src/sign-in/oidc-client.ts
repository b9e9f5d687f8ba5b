import { ApiError, hashToken } from '@drawbridge/contracts';
import { type Send } from '@drawbridge/egress';
import { currentContext, memoize } from '@drawbridge/rpc';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { type OidcProvider } from './oidc-providers.js';

/** Timeout of one request to a provider, in seconds. A sign-in sends up to four requests. */
const STEP_SECONDS = 5;
const MAX_BYTES = 256 * 1024;
/** Lifetime, in milliseconds, of the cached keys and endpoints of a provider. The keys are fetched earlier if a token is signed with a new key. */
const REMEMBER_MS = 10 * 60_000;

/** The identity that a provider asserts. */
export interface Identity {
  issuer: string;
  subject: string;
  email?: string;
  /** True if the provider has verified the email. */
  isEmailVerified: boolean;
  name?: string;
  image?: string;
}

interface OidcClient {
  /** Returns the URL of the provider to which the browser is redirected. */
  start(secret: string): Promise<string>;
  /** Returns the identity for the redirect of the provider. Throws UNAUTHENTICATED with the reason `denied` or `provider`. */
  finish(secret: string, callback: URL): Promise<Identity>;
}

/**
 * Implements the authorization code flow with PKCE, state and nonce (OpenID Connect Core, RFC 9700). The OpenID library is loaded on its first use.
 */
export function oidcClient(provider: OidcProvider, redirectUri: string, send: Send): OidcClient {
  const configurations = memoize({ ttlMs: REMEMBER_MS }, () => discover(provider, send));
  const configure = (): Promise<Configuration> => configurations('');
  return {
    start: (secret) =>
      refusing(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
        const { state, nonce, verifier } = derived(secret);
        const url = buildAuthorizationUrl(await configure(), {
          redirect_uri: redirectUri,
          scope: provider.scopes.join(' '),
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          state,
          nonce,
        });
        if (url.protocol !== 'https:') throw new Error('The issuer must use https');
        return url.href;
      }),

    finish: (secret, callback) =>
      refusing(async () => {
        const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
        const { state, nonce, verifier } = derived(secret);
        const configuration = await configure();
        const checks = {
          pkceCodeVerifier: verifier,
          expectedState: state,
          expectedNonce: nonce,
          idTokenExpected: true,
        };
        const tokens = await authorizationCodeGrant(configuration, callback, checks);
        const claims = tokens.claims()!;
        const isWhole = claims['email'] !== undefined || !configuration.serverMetadata().userinfo_endpoint;
        const told = isWhole ? claims : await fetchUserInfo(configuration, tokens.access_token, claims.sub);
        return toIdentity(configuration.serverMetadata().issuer, claims.sub, told);
      }),
  };
}

/**
 * Derives all values of a sign-in from the secret of the browser: those that are sent to the provider, and those that prove that the response
 * returned to the browser that started the sign-in. No value needs to be stored.
 */
function derived(secret: string) {
  return {
    state: hashToken(`state ${secret}`),
    nonce: hashToken(`nonce ${secret}`),
    verifier: hashToken(`verifier ${secret}`),
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcProvider, send: Send): Promise<Configuration> {
  const { ClientSecretBasic, ClientSecretPost, customFetch, discovery, enableNonRepudiationChecks } =
    await import('openid-client');
  // Uses the authentication method of the provider, or HTTP Basic if it declares none (OpenID Connect Core, 9).
  const authenticate: ClientAuth = (server, ...others) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const by = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    by(clientSecret)(server, ...others);
  };
  return discovery(new URL(issuer), clientId, {}, authenticate, {
    [customFetch]: fetchBy(send),
    timeout: STEP_SECONDS,
    // Also verifies the signature of the ID token, although the token arrives over TLS.
    execute: [enableNonRepudiationChecks],
  });
}

/** Returns a `fetch` that sends all requests of the OpenID library through egress. Egress does not follow redirects, and the library rejects them. */
function fetchBy(send: Send): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const text = body === null || body === undefined ? undefined : String(body);
    const timeoutMs = STEP_SECONDS * 1_000;
    const answer = await send({ method, url, headers, body: text, signal, timeoutMs, maxBytes: MAX_BYTES });
    const isEmpty = [204, 205, 304].includes(answer.status);
    return new Response(isEmpty ? null : Buffer.from(answer.body), { status: answer.status, headers: answer.headers });
  };
}

function toIdentity(issuer: string, subject: string, told: Record<string, unknown>): Identity {
  const textOf = (key: string): string | undefined => (typeof told[key] === 'string' ? told[key] : undefined);
  const picture = textOf('picture');
  const isImage = picture !== undefined && picture.length <= 2_000 && /^https:\/\//.test(picture);
  return {
    issuer,
    subject,
    email: textOf('email'),
    isEmailVerified: told['email_verified'] === true,
    name: textOf('name'),
    image: isImage ? picture : undefined,
  };
}

/** Converts every failure of a provider to UNAUTHENTICATED. Omits the original message, because it may contain data that was sent to the provider. */
async function refusing<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { code, error: told } = error as { code?: unknown; error?: unknown };
    currentContext()?.log.warn({ reason: String(code ?? 'unknown').slice(0, 100) }, 'an identity provider failed');
    throw refusal(told === 'access_denied' ? 'denied' : 'provider');
  }
}

/** The reasons why a sign-in by a provider fails. */
const REASONS = {
  denied: 'The user or the identity provider denied the sign-in',
  provider: 'The identity provider is unavailable, or its response could not be verified. Try again',
  over: 'The sign-in took too long, or was started in another browser. Start again',
  unverified_email: 'The provider does not vouch for the email',
  no_account: 'There is no account with that email, and no invitation',
};

/** Returns the error UNAUTHENTICATED with a reason, for which the sign-in page displays a text. */
export function refusal(reason: keyof typeof REASONS): ApiError {
  return new ApiError('UNAUTHENTICATED', REASONS[reason], { details: { reason } });
}
