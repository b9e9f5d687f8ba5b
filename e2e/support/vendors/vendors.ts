import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT_ID, CLIENT_SECRET } from '../fakes.js';
import { onceFree } from '../provider.js';
import { type Dialect, DIALECTS, type Tokens, type Vendor, VENDORS } from './dialects.js';
import { type Issuer, issuer } from './issuer.js';

export interface Vendors {
  clientId: string;
  secret: string;
  /** Returns the number of requests to a provider's token endpoint, by grant_type. */
  asked(vendor: Vendor, grantType?: 'authorization_code' | 'refresh_token'): number;
  /** Returns the number of revocation requests. */
  revoked(vendor: Vendor): number;
  /** Delays a token endpoint, by milliseconds or until a promise resolves, or makes it respond with another status, such as 503. */
  hold(vendor: Vendor, held: Held): void;
  /** Sets the lifetime, in seconds, of access tokens that are issued after this call. */
  live(vendor: Vendor, seconds: number): void;
  /** Revokes all grants, like a user on the provider's settings page. */
  revokeAll(vendor: Vendor): Promise<void>;
  stop(): Promise<void>;
}

/** The product redirects requests to this origin. Each provider has a path: `/slack/auth`, `/slack/token`, `/slack/revoke`, `/slack/api/me`. */
const ORIGIN = 'https://vendors.example';

interface Held {
  delayMs?: number;
  until?: Promise<unknown>;
  status?: number;
}

interface State {
  dialect: Dialect;
  issuer: Issuer;
  asked: string[];
  revoked: number;
  held: Held;
  seconds: number;
}

/**
 * Starts the providers on one port of a product's fakes: real OAuth servers behind a layer that adds the differences of each provider. Waits while
 * another file uses the port.
 */
export async function startVendors(port: number): Promise<Vendors> {
  const states = new Map<string, State>();
  const server = createServer((request, response) => {
    void answer(states, request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await onceFree(() => once(server.listen(port, '127.0.0.1'), 'listening'));
  for (const vendor of VENDORS) {
    const state = {
      dialect: DIALECTS[vendor] as Dialect,
      asked: [],
      revoked: 0,
      held: {},
      seconds: 3_600,
    } as Partial<State> as State;
    const options = {
      url: `${ORIGIN}/${vendor}`,
      secret: CLIENT_SECRET,
      dialect: state.dialect,
      lifetime: () => state.seconds,
    };
    states.set(vendor, Object.assign(state, { issuer: issuer(options) }));
  }
  const stateOf = (vendor: Vendor): State => states.get(vendor)!;
  return {
    clientId: CLIENT_ID,
    secret: CLIENT_SECRET,
    asked: (vendor, type) => stateOf(vendor).asked.filter((one) => type === undefined || one === type).length,
    revoked: (vendor) => stateOf(vendor).revoked,
    hold: (vendor, held) => void (stateOf(vendor).held = held),
    live: (vendor, seconds) => void (stateOf(vendor).seconds = seconds),
    revokeAll: (vendor) => stateOf(vendor).issuer.revokeAll(),
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(states: Map<string, State>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, vendor = '', ...rest] = new URL(request.url ?? '', 'http://v.invalid').pathname.split('/');
  const state = states.get(vendor);
  if (!state) return void response.writeHead(404).end();
  const route = `${request.method} /${rest.join('/')}`;
  if (request.headers['x-inside']) return inside(state, vendor, request, response);
  if (route === 'GET /api/me') return me(state, request, response);
  if (route === 'POST /token') return token(state, vendor, request, response);
  if (route === 'POST /revoke' || route === `DELETE /applications/${CLIENT_ID}/grant`)
    return revoke(state, request, response);
  if (rest[0] === 'interaction') return interaction(state, request, response);
  if (route === 'GET /auth') request.url = asStandard(state.dialect, request.url ?? '');
  inside(state, vendor, request, response);
}

/** Passes a request to the OAuth server with the path below its mount point, like express. */
function inside({ issuer: its }: State, vendor: string, request: IncomingMessage, response: ServerResponse): void {
  const { url = '' } = request;
  Object.assign(request, { originalUrl: url, url: url.slice(vendor.length + 1) });
  its.handle(request, response);
}

/** Translates a provider's authorization request into the standard format. If a parameter is missing, the OAuth server rejects the request. */
function asStandard({ scopeParam = 'scope', asks = {} }: Dialect, url: string): string {
  const [path, query = ''] = url.split('?');
  const parameters = new URLSearchParams(query);
  const scope = parameters.get(scopeParam);
  if (scope) parameters.set('scope', scope.replaceAll(',', ' '));
  if (Object.entries(asks).some(([name, value]) => parameters.get(name) !== value))
    parameters.set('response_type', 'none of ours');
  return `${path}?${parameters}`;
}

/** Serves the provider's consent page, with links to allow or deny. */
async function interaction({ issuer: its }: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://v.invalid');
  const consent = searchParams.get('say');
  if (consent) return its.interaction(request, response, consent === 'yes');
  response.setHeader('content-type', 'text/html');
  response.end(`<h1>The vendor asks</h1><a href="${pathname}?say=yes">Allow</a> <a href="${pathname}?say=no">Deny</a>`);
}

async function me({ issuer: its }: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const scope = await its.scopeOf((request.headers.authorization ?? '').replace(/^Bearer /, ''));
  if (scope === undefined) return json(response, 401, { message: 'The token is not good', code: 'bad_token' });
  json(response, 200, { account: 'ann', scope });
}

async function revoke(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = await bodyOf(request);
  state.revoked++;
  await state.issuer.revoke(sent.get('token') ?? sent.get('access_token') ?? '');
  response.writeHead(200).end();
}

async function token(state: State, vendor: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { dialect, issuer: its, held } = state;
  const sent = await bodyOf(request);
  const isRefresh = sent.get('grant_type') === 'refresh_token';
  state.asked.push(sent.get('grant_type') ?? 'none');
  if (held.delayMs) await sleep(held.delayMs);
  await held.until;
  if (held.status) return json(response, held.status, {});
  const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
  if (dialect.needsJson && !isJson)
    return json(response, 400, { error: 'invalid_request', error_description: 'JSON alone' });
  const { status, body } = await standardToken(vendor, request, sent);
  if (status >= 400) {
    const failure = dialect.fails?.(body, isRefresh) ?? { status, body };
    return json(response, failure.status, failure.body);
  }
  const isOffline = isRefresh || its.wasOffline(sent.get('code') ?? '');
  const { body: shown, isForm } = dialect.grants(isOffline ? body : { ...body, refresh_token: undefined }, isRefresh);
  if (!isForm || request.headers.accept?.includes('json')) return json(response, 200, shown);
  const given = Object.entries(shown).filter(([, value]) => value !== undefined) as [string, string][];
  response
    .writeHead(200, { 'content-type': 'application/x-www-form-urlencoded' })
    .end(new URLSearchParams(given).toString());
}

/** Sends a standard token request to the OAuth server. */
async function standardToken(
  vendor: string,
  { headers, socket }: IncomingMessage,
  sent: URLSearchParams,
): Promise<{ status: number; body: Tokens & { error: string } }> {
  const answered = await fetch(`http://127.0.0.1:${socket.localPort}/${vendor}/token`, {
    method: 'POST',
    headers: {
      'x-inside': '1',
      'content-type': 'application/x-www-form-urlencoded',
      ...(headers.authorization && { authorization: headers.authorization }),
    },
    body: sent,
  });
  return { status: answered.status, body: (await answered.json()) as Tokens & { error: string } };
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
  return new URLSearchParams(isJson ? (JSON.parse(text) as Record<string, string>) : text);
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
