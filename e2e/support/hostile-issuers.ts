import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Writes the response to a discovery request, or does not respond. */
type Discovery = (response: ServerResponse, issuer: string) => void;

const issuerOf = (name: string): string => `https://${name}.hostile.example`;

/** Responds with valid metadata, except for these fields. */
const saying =
  (wrong: (issuer: string) => object): Discovery =>
  (response, issuer) =>
    void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...metadataOf(issuer), ...wrong(issuer) }));

const JSON_TYPE = { 'content-type': 'application/json' };

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

/** Issuers with which sign-in fails before the provider's page. */
const UNUSABLE: Record<string, Discovery> = {
  missing: (response) => void response.writeHead(404, JSON_TYPE).end('{}'),
  fails: (response) => void response.writeHead(500).end('<b>no</b>'),
  'is-html': (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  'is-no-json': (response) => void response.writeHead(200, JSON_TYPE).end('{"issuer":'),
  'is-a-list': (response) => void response.writeHead(200, JSON_TYPE).end('[1]'),
  'is-empty': (response) => void response.writeHead(200, JSON_TYPE).end('{}'),
  'is-huge': (response) => void response.writeHead(200, JSON_TYPE).end(`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`),
  'never-ends': (response) => {
    response.writeHead(200, JSON_TYPE).write('{"a":"');
    const drip = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(drip));
  },
  'is-silent': () => undefined,
  'hangs-up': (response) => void response.destroy(),
  'is-another': saying(() => ({ issuer: issuerOf('is-silent') })),
  'is-redirected-inside': (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'is-redirected-on': (response, issuer) => void response.writeHead(302, { location: `${issuer}/good` }).end(),
  'asks-over-http': saying((issuer) => ({ authorization_endpoint: `${issuer.replace('https', 'http')}/authorize` })),
  'asks-nowhere': saying(() => ({ authorization_endpoint: 'javascript:alert(1)' })),
};

/** Issuers with which sign-in fails after the redirect back with a code. */
const UNTRUSTED: Record<string, Discovery> = {
  'token-over-http': saying((issuer) => ({ token_endpoint: `${issuer.replace('https', 'http')}/token` })),
  'token-inside': saying(() => ({ token_endpoint: 'https://127.0.0.1/token' })),
  'token-at-metadata': saying(() => ({ token_endpoint: 'https://169.254.169.254/latest' })),
  'token-nowhere': saying(() => ({ token_endpoint: undefined })),
  'token-is-a-file': saying(() => ({ token_endpoint: 'file:///etc/passwd' })),
};

export interface HostileIssuers {
  /** The values of OIDC_PROVIDERS and ORIGIN_MAP. */
  issuers: Record<string, string>;
  originMap: Record<string, string>;
  /** All requests except discovery requests. */
  asked: string[];
  /** Closes the hanging connections. */
  release(): void;
  stop(): void;
}

export const HOSTILE = { unusable: Object.keys(UNUSABLE), untrusted: Object.keys(UNTRUSTED) };

/** Starts identity providers on loopback, each with one fault in its metadata. */
export async function hostileIssuers(names: string[]): Promise<HostileIssuers> {
  const asked: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const [, name = '', ...path] = (request.url ?? '').split('/');
    const discovery = { ...UNUSABLE, ...UNTRUSTED }[name];
    if (discovery && path.join('/') === '.well-known/openid-configuration') return discovery(response, issuerOf(name));
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuers: Object.fromEntries(names.map((name) => [name, issuerOf(name)])),
    originMap: Object.fromEntries(names.map((name) => [issuerOf(name), `${at}/${name}`])),
    asked,
    release: () => server.closeAllConnections(),
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
