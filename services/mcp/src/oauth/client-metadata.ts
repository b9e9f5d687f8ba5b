import { ApiError, cutText } from '@drawbridge/contracts';
import { isNative, redirectProblem } from './redirect-problem.js';

const MAX_REDIRECTS = 10;
const MAX_NAME = 100;
/** Limits all redirect URIs together, because anyone may register a client. */
const MAX_REDIRECT_CHARACTERS = 4_000;
/** Methods that are accepted although clients have no secret here: the response says `none` (RFC 7591, 3.2.1). */
const WITHOUT_KEYS = ['none', 'client_secret_basic', 'client_secret_post'];

/** The client metadata that is used here. */
export interface ClientMetadata {
  name?: string;
  redirectUris: string[];
  /** web or native. */
  applicationType: string;
}

/** Parses client metadata. Throws VALIDATION_ERROR, whose `details.reason` is the error of RFC 7591. */
export function toClientMetadata(given: unknown): ClientMetadata {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw unfit('The metadata must be an object');
  const said = given as Record<string, unknown>;
  if (said['software_statement'] !== undefined)
    throw unfit('Software statements are not taken', 'invalid_software_statement');
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
    throw unfit('client_name must be text without control characters');
  if (type !== undefined && type !== 'web' && type !== 'native') throw unfit('application_type must be web or native');
  if (!WITHOUT_KEYS.some((one) => one === method)) throw unfit('token_endpoint_auth_method must be none');
  requireAmong(said, 'grant_types', 'authorization_code');
  requireAmong(said, 'response_types', 'code');
  if (said['scope'] !== undefined && typeof said['scope'] !== 'string') throw unfit('scope must be text');
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
