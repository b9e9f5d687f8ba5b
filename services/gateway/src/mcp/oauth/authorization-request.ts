import { type Authorization, type OAuthClient } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Request } from 'express';
import { slotsOf } from '../../admission/request-slots.js';
import { type Clients, unless } from '../../clients.js';
import { type Site } from '../../http/site.js';
import { issuerOf, serverOf } from './metadata.js';
import { type Parameters, SCOPES, THERE_ARE_SCOPES, toParameters, wordsIn } from './parameters.js';

/** Maximum length of the query, in characters. Sign-in redirects back to this path with its query, and limits their length to 2,000 in total. */
const MAX_QUERY = 1_900;

/** An OAuth authorization request of a client. */
export interface AuthorizationRequest {
  client: OAuthClient;
  redirectUri: string;
  serverId: string;
  codeChallenge: string;
  scopes: string[];
  /** Returns the redirect URI with the response parameters. */
  answer(said: Record<string, string>): string;
}

/** A rejected request: the error page for the user, or the redirect that reports the error to the client. */
export type Refused = { page: 'client' | 'redirect' | 'request' } | Refusal;

export interface Refusal {
  redirectUri: string;
  away: string;
}

/** Returns the raw query with its question mark; an empty string if there is none. */
export const queryOf = ({ originalUrl }: Request): string =>
  originalUrl.includes('?') ? originalUrl.slice(originalUrl.indexOf('?')) : '';

interface Needs {
  clients: Pick<Clients, 'mcpOAuth'>;
  site: Site;
}

/**
 * Reads the authorization request from the query. An unknown client or an unregistered redirect URI results in an error page without a redirect. The
 * client receives all other errors by redirect. Throws UNAVAILABLE.
 */
export async function readAuthorizationRequest(
  { clients, site }: Needs,
  request: Request,
): Promise<AuthorizationRequest | Refused> {
  const query = queryOf(request).slice(1);
  const said = toParameters(query);
  const isOnce = !['client_id', 'redirect_uri'].some((name) => said.repeated.includes(name));
  if (query.length > MAX_QUERY || query.includes('%00') || !isOnce) return { page: 'request' };
  const clientId = said.get('client_id');
  const find = () => findClient(clients, clientId);
  // If the client id is a URL, the client's metadata is fetched from that URL, which may take long.
  const client = await (clientId.startsWith('https://') ? slotsOf(request.res!).outside(find) : find());
  if (!client) return { page: 'client' };
  const redirectUri = said.get('redirect_uri');
  if (!isRegistered(client.redirectUris, redirectUri)) return { page: 'redirect' };
  const [state, iss] = [said.get('state') || undefined, issuerOf(site, request)];
  const answer = (answered: Record<string, string>) => withAnswer(redirectUri, { ...answered, state, iss });
  const serverId = serverOf(site, request, said.get('resource')) ?? '';
  const problem = problemOf(said, serverId);
  if (problem) return { redirectUri, away: answer({ error: problem[0], error_description: problem[1] }) };
  const scopes = wordsIn(said.get('scope')).filter((scope) => SCOPES.includes(scope));
  return { client, redirectUri, serverId, codeChallenge: said.get('code_challenge'), scopes, answer };
}

/**
 * Returns the scopes that can be granted: all scopes of the server if the request contains none, otherwise the requested scopes that the server
 * supports.
 */
export function scopesToGive({ scopes: asked }: AuthorizationRequest, { scopes }: Authorization): string[] {
  return asked.length === 0 ? scopes : scopes.filter((scope) => asked.includes(scope));
}

async function findClient({ mcpOAuth }: Needs['clients'], clientId: string): Promise<OAuthClient | undefined> {
  if (clientId === '') return undefined;
  return mcpOAuth.getOAuthClient({ clientId }).catch(unless('NOT_FOUND', 'VALIDATION_ERROR'));
}

type Problem = [error: string, description: string] | undefined;

function problemOf({ get, repeated }: Parameters, serverId: string): Problem {
  if (repeated.includes('resource')) return ['invalid_target', 'One resource at a time'];
  if (repeated.length > 0) return ['invalid_request', 'A parameter must be sent only once'];
  if (get('request') !== '') return ['request_not_supported', 'Requests are read from the address'];
  if (get('request_uri') !== '') return ['request_uri_not_supported', 'Requests are read from the address'];
  if (get('response_type') === '') return ['invalid_request', 'response_type is missing'];
  if (get('response_type') !== 'code') return ['unsupported_response_type', 'response_type must be code'];
  if (!['', 'query'].includes(get('response_mode'))) return ['invalid_request', 'response_mode must be query'];
  if (get('code_challenge_method') !== 'S256') return ['invalid_request', 'code_challenge_method must be S256'];
  if (!/^[\w-]{43}$/.test(get('code_challenge'))) return ['invalid_request', 'code_challenge must be that of S256'];
  if (wordsIn(get('prompt')).includes('none')) return ['login_required', 'A person is always asked'];
  if (serverId === '') return ['invalid_target', 'resource must be an MCP server of this site'];
  return scopeProblem(wordsIn(get('scope')));
}

/** Returns a problem if the request contains only unknown scopes. Otherwise, unknown scopes are ignored. */
function scopeProblem(scopes: string[]): Problem {
  const isFine = scopes.length === 0 || scopes.some((scope) => SCOPES.includes(scope));
  return isFine ? undefined : ['invalid_scope', THERE_ARE_SCOPES];
}

const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];

/**
 * Returns whether a client registered this redirect URI. It must match exactly, except for the port of a loopback address, because the client selects
 * the port at runtime (RFC 8252, 7.3).
 */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const plain = withoutPort(asked);
  return plain !== undefined && registered.some((one) => withoutPort(one) === plain);
}

/** Returns a loopback address without its port; undefined for any other address. */
function withoutPort(uri: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.includes('\\') || !URL.canParse(uri)) return undefined;
  const [, host, rest] = /^http:\/\/(\[::1\]|[\w.-]+)(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? [];
  return host !== undefined && LOOPBACK.includes(host) ? host + rest : undefined;
}

/** Adds the response parameters to those that the redirect URI already has. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const said = Object.entries(answer).filter((one): one is [string, string] => one[1] !== undefined);
  const added = new URLSearchParams(said).toString();
  const between = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
  return uri + between + added;
}

/** Returns the part of the redirect URI that the page displays. */
export function placeOf(uri: string): { host: string; isLocal: boolean } {
  const { protocol, host } = new URL(uri);
  const isHttp = /^https?:$/.test(protocol);
  return { host: isHttp ? host : protocol, isLocal: isHttp ? isOnThisMachine(uri) : true };
}

/** Returns whether the address is on the user's own machine. */
export const isOnThisMachine = (uri: string): boolean => withoutPort(uri) !== undefined;
