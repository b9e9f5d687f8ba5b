import { hashToken } from '@drawbridge/contracts';
import { type Send } from '@drawbridge/egress';
import { currentContext } from '@drawbridge/rpc';
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { type OidcProvider } from './oidc-providers.js';
import { refusal } from './refusal.js';

/** One question to a provider; there are up to four. */
const STEP_SECONDS = 5;
const MAX_BYTES = 256 * 1024;
/** Its keys and addresses; the keys alone are asked for sooner when there is a new one. */
const REMEMBER_MS = 10 * 60_000;

/** Whom a provider says somebody is. */
export interface Identity {
  issuer: string;
  subject: string;
  email?: string;
  /** The provider vouches that the address is theirs. */
  isEmailVerified: boolean;
  name?: string;
  image?: string;
}

export interface OidcClient {
  /** Where the browser goes to. */
  start(secret: string): Promise<string>;
  /** What the browser came back with. Throws UNAUTHENTICATED with the reason `denied` or `provider`. */
  finish(secret: string, callback: URL): Promise<Identity>;
}

/** Authorization code with PKCE, state and nonce (OpenID Connect Core, RFC 9700). Its code is read when it is first used. */
export function oidcClient(provider: OidcProvider, redirectUri: string, send: Send): OidcClient {
  const configure = configuring(provider, send);
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
        if (url.protocol !== 'https:') throw new Error('Its own address is not one of https');
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

/** Asks the provider what it offers, once in ten minutes. */
function configuring(provider: OidcProvider, send: Send): () => Promise<Configuration> {
  let known: { since: number; configuration: Promise<Configuration> } | undefined;
  return async () => {
    if (known && known.since + REMEMBER_MS > Date.now()) return known.configuration;
    const asked = { since: Date.now(), configuration: discover(provider, send) };
    known = asked;
    asked.configuration.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.configuration;
  };
}

/** What is sent to the provider and what proves that it came back to the same browser: nothing of it is stored. */
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
  // As the provider says, which is by HTTP Basic if it says nothing (OpenID Connect Core, 9).
  const authenticate: ClientAuth = (server, ...others) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const by = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
    by(clientSecret)(server, ...others);
  };
  return discovery(new URL(issuer), clientId, {}, authenticate, {
    [customFetch]: fetchBy(send),
    timeout: STEP_SECONDS,
    // The ID token's signature too, although it comes over TLS.
    execute: [enableNonRepudiationChecks],
  });
}

/** Every request of the library, on the one way out. A redirect is an answer, and no answer that it takes. */
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

/** A provider's failure is told as one, whatever it was; its words stay away, they may hold what it was sent. */
async function refusing<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { code, error: told } = error as { code?: unknown; error?: unknown };
    currentContext()?.log.warn({ reason: String(code ?? 'unknown').slice(0, 100) }, 'an identity provider failed');
    throw refusal(told === 'access_denied' ? 'denied' : 'provider');
  }
}
