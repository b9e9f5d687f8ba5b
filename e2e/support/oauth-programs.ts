import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import {
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { eventually } from './eventually.js';

/** A client on this machine that listens for the redirect of its authorization request. */
export interface Listening {
  redirectUri: string;
  /** Where the client redirects the browser after it received the response, as many hosted clients do. Undefined: it shows a page. */
  onward?: string;
  /** The redirects that browsers sent, oldest first. */
  heard: { params: URLSearchParams; referer?: string }[];
  /** Waits for `times` redirects. Returns the newest. */
  hears(times?: number): Promise<URLSearchParams>;
  stop(): void;
}

export async function listening(): Promise<Listening> {
  const heard: Listening['heard'] = [];
  const server = createServer(({ url = '', headers: { referer } }, response) => {
    const { pathname, searchParams: params } = new URL(url, 'http://127.0.0.1');
    if (pathname === '/callback') heard.push({ params, referer });
    if (program.onward) return void response.writeHead(302, { location: program.onward }).end();
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!doctype html><title>Back</title>You can close this.');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const program: Listening = {
    redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    heard,
    hears: (times = 1) =>
      eventually(async () => {
        expect(heard).toHaveLength(times);
        return heard.at(-1)!.params;
      }),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return program;
}

/** The stored state of the official client. */
export interface Kept extends OAuthClientProvider {
  tokensNow?: StoredOAuthTokens;
  client?: StoredOAuthClientInformation;
  /** The authorization URLs to which the client sent its user. */
  asked: URL[];
}

export function keptInMemory({ redirectUri }: Pick<Listening, 'redirectUri'>): Kept {
  let verifier = '';
  const kept: Kept = {
    asked: [],
    redirectUrl: redirectUri,
    clientMetadata: { client_name: 'Official', redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    state: () => 'kept',
    clientInformation: () => kept.client,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokensNow,
    saveTokens: (tokens) => void (kept.tokensNow = tokens),
    redirectToAuthorization: (url) => void kept.asked.push(url),
    saveCodeVerifier: (text) => void (verifier = text),
    codeVerifier: () => verifier,
    invalidateCredentials(what) {
      if (what === 'all' || what === 'tokens') kept.tokensNow = undefined;
      if (what === 'all' || what === 'client') kept.client = undefined;
    },
  };
  return kept;
}
