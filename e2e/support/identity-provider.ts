import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const ISSUER = 'https://id.acme.example';

/** The claims of the signed-in user, and the provider's misbehaviour. */
export interface Manner {
  claims: Record<string, unknown>;
  /** Overrides of the claims of a valid ID token. */
  wrong?: Record<string, unknown>;
  /** Replaces the valid signature, which is RS256 with the published key. */
  signs?: 'none' | 'with another key';
  /** The path at which the provider misbehaves. */
  at?: '/token' | '/keys' | '/.well-known/openid-configuration';
  does?: 'hangs' | 'floods' | 'redirects' | 'fails' | 'garbles' | 'is a page';
  /** Overrides of the published metadata. */
  metadata?: Record<string, unknown>;
}

export interface IdentityProvider {
  url: string;
  behave(manner: Manner): void;
  /** Consents like a user in a browser. Returns the redirect URI with the code. */
  agree(authorization: string): string;
  /** The requests to `/token`. */
  asked: { authorization?: string; form: URLSearchParams }[];
  stop(): void;
}

/** Starts an OpenID provider on loopback. It validates requests, and misbehaves if configured. */
export async function identityProvider(): Promise<IdentityProvider> {
  const [own, other] = [
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
    generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ];
  const codes = new Map<string, URLSearchParams>();
  const asked: IdentityProvider['asked'] = [];
  let manner: Manner = { claims: {} };

  const token = async (request: IncomingMessage): Promise<[number, object]> => {
    const form = new URLSearchParams(await text(request));
    asked.push({ authorization: request.headers.authorization, form });
    const begun = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!begun || begun.get('code_challenge') !== challenge) return [400, { error: 'invalid_grant' }];
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: ISSUER, aud: begun.get('client_id'), iat: now, exp: now + 300, nonce: begun.get('nonce') };
    const header = { alg: manner.signs === 'none' ? 'none' : 'RS256', kid: 'k1', typ: 'JWT' };
    const signed = [header, { ...claims, ...manner.claims, ...manner.wrong }].map(encoded).join('.');
    const key = manner.signs === 'with another key' ? other.privateKey : own.privateKey;
    const signature = manner.signs === 'none' ? '' : sign('sha256', Buffer.from(signed), key).toString('base64url');
    return [200, { access_token: randomUUID(), token_type: 'Bearer', id_token: `${signed}.${signature}` }];
  };

  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return [200, { ...METADATA, ...manner.metadata }];
      case '/keys':
        return [200, { keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }] }];
      case '/token':
        return token(request);
      default:
        return [404, {}];
    }
  };

  const agree = (authorization: string): string => {
    const { searchParams } = new URL(authorization, ISSUER);
    const code = randomUUID();
    codes.set(code, searchParams);
    return backFrom(searchParams, { code });
  };

  const server = createServer(async (request, response) => {
    if (manner.at === request.url) return misbehave(manner.does, response);
    if (request.url?.startsWith('/authorize?')) return showQuestion(response, request.url, agree(request.url));
    const [status, body] = await answer(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave: (next) => void (manner = next),
    agree,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function backFrom(asked: URLSearchParams, answer: Record<string, string>): string {
  const back = new URL(asked.get('redirect_uri')!);
  back.search = new URLSearchParams({ ...answer, state: asked.get('state')! }).toString();
  return back.href;
}

/** Shows the consent page of the provider, with links to allow or deny. */
function showQuestion(response: ServerResponse, authorization: string, agreed: string): void {
  const refused = backFrom(new URL(authorization, ISSUER).searchParams, { error: 'access_denied' });
  const links = [agreed, refused].map((href) => href.replaceAll('&', '&amp;'));
  const page = `<!doctype html><title>Acme ID</title><a href="${links[0]}">Allow</a> <a href="${links[1]}">Deny</a>`;
  response.writeHead(200, { 'content-type': 'text/html' }).end(page);
}

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
};

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function misbehave(does: Manner['does'], response: ServerResponse): void {
  switch (does) {
    case 'floods':
      response.writeHead(200, { 'content-type': 'application/json' }).end(`{"a":"${'x'.repeat(4 * 1024 * 1024)}"}`);
      return;
    case 'redirects':
      response.writeHead(307, { location: 'http://127.0.0.1:1/token' }).end();
      return;
    case 'fails':
      response.writeHead(500, { 'content-type': 'text/html' }).end('<b>no</b>');
      return;
    case 'garbles':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token":');
      return;
    case 'is a page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      return;
    default: // no response
  }
}
