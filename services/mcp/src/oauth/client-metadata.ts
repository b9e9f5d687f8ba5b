import { ApiError, cutText } from '@drawbridge/contracts';

const MAX_REDIRECTS = 10;
const MAX_NAME = 100;
/** Maximum total length of the redirect URIs of a client. Anyone may register a client, so each may use little storage. */
const MAX_REDIRECT_CHARACTERS = 4_000;
/**
 * Accepted values of `token_endpoint_auth_method`. Clients get no secret, so the response always contains `none`, as RFC 7591, 3.2.1, allows. Other
 * values are accepted because clients register with them.
 */
const WITHOUT_KEYS = ['none', 'client_secret_basic', 'client_secret_post'];

/** The part of the client metadata that the server uses. */
interface ClientMetadata {
  name?: string;
  redirectUris: string[];
  /** The application type: web or native. */
  applicationType: string;
}

/** Parses client metadata. Throws VALIDATION_ERROR, with the error of RFC 7591 in `details.reason`. */
export function toClientMetadata(given: unknown): ClientMetadata {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw unfit('The metadata must be an object');
  const said = given as Record<string, unknown>;
  if (said['software_statement'] !== undefined)
    throw unfit('Software statements are not supported', 'invalid_software_statement');
  requireAll(said);
  const redirectUris = toRedirectUris(said['redirect_uris']);
  const { client_name: name, application_type: type } = said;
  return {
    name: typeof name === 'string' && name.trim() !== '' ? cutText(name.trim(), MAX_NAME) : undefined,
    redirectUris,
    applicationType: typeof type === 'string' ? type : redirectUris.some(isNative) ? 'native' : 'web',
  };
}

function requireAll(said: Record<string, unknown>): void {
  const { client_name: name, application_type: type, token_endpoint_auth_method: method = 'none' } = said;
  if (name !== undefined && (typeof name !== 'string' || /\p{Cc}/u.test(name)))
    throw unfit('client_name must be a string without control characters');
  if (type !== undefined && type !== 'web' && type !== 'native') throw unfit('application_type must be web or native');
  if (!WITHOUT_KEYS.some((one) => one === method)) throw unfit('token_endpoint_auth_method must be none');
  requireAmong(said, 'grant_types', 'authorization_code');
  requireAmong(said, 'response_types', 'code');
  if (said['scope'] !== undefined && typeof said['scope'] !== 'string') throw unfit('scope must be a string');
}

function requireAmong(said: Record<string, unknown>, key: string, wanted: string): void {
  const given = said[key];
  if (given === undefined || (Array.isArray(given) && given.includes(wanted))) return;
  throw unfit(`${key} must be a list with ${wanted}`);
}

function toRedirectUris(given: unknown): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_REDIRECTS)
    throw unfit(`redirect_uris must be a list of 1 to ${MAX_REDIRECTS} addresses`, 'invalid_redirect_uri');
  const uris = given.map((uri: unknown, index) => {
    const problem = redirectProblem(uri);
    if (problem) throw unfit(`redirect_uris[${index}] ${problem}`, 'invalid_redirect_uri');
    return uri as string;
  });
  if (uris.join('').length <= MAX_REDIRECT_CHARACTERS) return uris;
  throw unfit(`redirect_uris must have ${MAX_REDIRECT_CHARACTERS} characters at most`, 'invalid_redirect_uri');
}

export function unfit(message: string, reason = 'invalid_client_metadata'): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { details: { reason } });
}

const MAX_CHARACTERS = 1_000;
/** Allows visible ASCII only, because a URL parser drops or rewrites other characters, which would make comparisons unreliable. */
const WRITTEN = /^[\x21-\x7e]+$/;
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost'];
/** Host names and IPv6 addresses. Other characters could have a meaning in the headers that contain the host. */
const HOST = /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])$/;
/** A scheme that belongs to a client (RFC 8252, 7.1). Schemes that a browser handles itself are excluded, because some of them run code. */
const OWN_SCHEME = /^[a-z][a-z0-9.+-]{1,63}:$/;
const BROWSERS_OWN = new Set(
  'about blob chrome content data devtools facetime file filesystem ftp gopher intent irc javascript jar mailto moz-extension news search-ms sms ssh tel telnet urn vbscript view-source ws wss'
    .split(' ')
    .map((scheme) => `${scheme}:`),
);

/** Returns the problem of a client's redirect URI, or undefined if it is valid. */
export function redirectProblem(uri: unknown): string | undefined {
  if (typeof uri !== 'string') return 'must be a string';
  if (uri.length > MAX_CHARACTERS || !WRITTEN.test(uri)) return 'must be a URL of at most 1,000 visible characters';
  if (!URL.canParse(uri)) return 'must be a URL';
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes('#')) return 'must have no fragment';
  if (uri.includes('\\') || username + password !== '') return 'must name a host and no user';
  if (/^https?:$/.test(protocol) && !HOST.test(hostname))
    return 'must name a host by letters, digits, dots and hyphens';
  if (protocol === 'https:') return undefined;
  if (protocol === 'http:') return LOOPBACK.includes(hostname) ? undefined : 'must be https, or of this machine';
  return isOwnScheme(protocol) ? undefined : 'must not have that scheme';
}

/** Returns whether the custom scheme of a redirect URI can belong to a client. Windows reserves the schemes with the prefix `ms-`. */
const isOwnScheme = (protocol: string): boolean =>
  OWN_SCHEME.test(protocol) && !BROWSERS_OWN.has(protocol) && !protocol.startsWith('ms-');

/** Returns whether a redirect URI belongs to a native application. */
function isNative(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol !== 'https:' && (protocol !== 'http:' || LOOPBACK.includes(hostname));
}
