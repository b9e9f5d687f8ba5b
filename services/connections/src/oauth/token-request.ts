import { EgressError, type Send } from '@drawbridge/egress';
import { type OAuth2Provider } from '@drawbridge/piece-kit';
import * as oauth from 'oauth4webapi';
import { serverOf } from './authorization.js';
import { basicCredentials } from './basic-credentials.js';
import { type OAuthApp } from './oauth-app.js';
import { OAuthFault } from './oauth-problem.js';
import { toTokenAnswer, type TokenAnswer } from './token-answer.js';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 256 * 1024;

export interface Asking {
  send: Send;
  provider: OAuth2Provider;
  app: OAuthApp;
  signal?: AbortSignal;
}

/** The provider's answer, once there is one. */
export interface AskedAnswer {
  answer?: TokenAnswer;
}

/** Prepares a request to a token endpoint: the client, its authentication, and a transport through the egress in the provider's format. */
export function askToken({ send, provider, app, signal }: Asking) {
  const asked: AskedAnswer = {};
  const isBasic = provider.clientAuth === 'basic';
  const auth = isBasic ? asBasic(app) : oauth.ClientSecretPost(app.clientSecret);
  const options = {
    signal,
    // The egress decides which addresses are reachable, and an operator may map one to plain HTTP.
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
      throw new OAuthFault(`http_${answer.status}`, `The provider's token endpoint answered ${answer.status}`);
    }
    asked.answer = toTokenAnswer(provider, answer);
    const json = { status: asked.answer.status, headers: { 'content-type': 'application/json' } };
    return new Response(JSON.stringify(asked.answer.body), json);
  };
}
