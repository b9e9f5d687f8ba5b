import { type OAuthClient, type OAuthTokens } from '@drawbridge/proto/drawbridge/mcp/v1/oauth';
import { type Request, type RequestHandler, Router } from 'express';
import { type RateLimits } from '../../admission/rate-limits.js';
import { type Clients } from '../../clients.js';
import { parseJson } from '../../http/json-body.js';
import { readBodyOutside } from '../../http/read-body.js';
import { contextOf } from '../../http/request-context.js';
import { type Site } from '../../http/site.js';
import {
  OAuthError,
  type Parameters,
  required,
  requireParameters,
  SCOPES,
  THERE_ARE_SCOPES,
  wordsIn,
} from './parameters.js';
import { openToBrowsers, serverOf } from './metadata.js';
import { mediaTypeOf } from '../../http/require-headers.js';

const MAX_BYTES = 32_768;
const CLIENT_ID = 'client_id';
const PATHS = ['/register', '/token', '/revoke'];

/** Paths of the OAuth endpoints. All their errors have the OAuth format, also errors of earlier middleware such as rate limits. */
export const OAUTH_PATHS = PATHS.map((path) => `/oauth${path}`);

interface Needs {
  clients: Pick<Clients, 'mcpOAuth'>;
  limits: RateLimits;
  site: Site;
}

/** Serves client registration, tokens and revocation. Only OAuth clients call these endpoints, so none of them reads a cookie. */
export function endpoints({ clients: { mcpOAuth }, limits, site }: Needs): Router {
  const router = Router();
  // Logs and metrics contain the route. The path of the request can have any spelling that Express matches, such as /oauth/TOKEN/.
  for (const [index, path] of PATHS.entries()) {
    router.all(path, (_request, response, next) => {
      response.locals['route'] = OAUTH_PATHS[index];
      next();
    });
  }
  router.use(PATHS, openToBrowsers(site));

  router.post('/register', async (request, response) => {
    await limits.countAnonymous(contextOf(response).address);
    const metadataJson = (await jsonOf(request)).toString('utf8');
    response.status(201).json(toRegistered(await mcpOAuth.registerOAuthClient({ metadataJson })));
  });

  router.post('/token', async (request, response) => {
    const said = await formOf(request);
    response.set('Pragma', 'no-cache').json(toTokens(await tokensFor(mcpOAuth, said, toTarget(request, site, said))));
  });

  router.post('/revoke', async (request, response) => {
    const said = await formOf(request);
    await mcpOAuth.revokeOAuthToken({ token: required(said, 'token'), clientId: required(said, CLIENT_ID) });
    response.status(200).end();
  });

  router.all(PATHS, refuseMethod);
  return router;
}

const refuseMethod: RequestHandler = ({ method }, response) => {
  response.setHeader('Allow', 'POST');
  throw new OAuthError('invalid_request', `${method} is not allowed here; allowed: POST`, 405);
};

/** Returns the id of the server in `resource`, or undefined if `resource` is absent. Throws OAuthError. */
function toTarget(request: Request, site: Site, { get }: Parameters): string | undefined {
  const resource = get('resource');
  if (resource === '') return undefined;
  const serverId = serverOf(site, request, resource);
  if (serverId === undefined)
    throw new OAuthError('invalid_target', 'resource must be the URL of an MCP server of this site');
  return serverId;
}

function tokensFor(
  mcpOAuth: Needs['clients']['mcpOAuth'],
  said: Parameters,
  serverId: string | undefined,
): Promise<OAuthTokens> {
  const grantType = required(said, 'grant_type');
  const clientId = required(said, CLIENT_ID);
  switch (grantType) {
    case 'authorization_code': {
      const [code, redirectUri] = [required(said, 'code'), required(said, 'redirect_uri')];
      const codeVerifier = required(said, 'code_verifier');
      if (!/^[\w.~-]{43,128}$/.test(codeVerifier))
        throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 letters, digits and -._~');
      return mcpOAuth.redeemCode({ code, clientId, redirectUri, codeVerifier, serverId });
    }
    case 'refresh_token': {
      const asked = wordsIn(said.get('scope'));
      const scopes = asked.filter((scope) => SCOPES.includes(scope));
      if (asked.length > 0 && scopes.length === 0) throw new OAuthError('invalid_scope', THERE_ARE_SCOPES);
      return mcpOAuth.refreshTokens({ refreshToken: required(said, 'refresh_token'), clientId, serverId, scopes });
    }
    default:
      throw new OAuthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
}

/** Throws OAuthError if the request contains a secret. Clients have no secret, so a secret that is sent here belongs to another server. */
async function formOf(request: Request): Promise<Parameters> {
  requireType(request, 'application/x-www-form-urlencoded');
  const said = requireParameters((await readBodyOutside(request, MAX_BYTES)).toString('utf8'));
  const isNamed = said.get('client_secret') !== '' || said.get('client_assertion') !== '';
  if (!isNamed && request.get('authorization') === undefined) return said;
  throw new OAuthError('invalid_client', 'Clients must authenticate with client_id only, without a secret', 401);
}

async function jsonOf(request: Request): Promise<Buffer> {
  requireType(request, 'application/json');
  const bytes = await readBodyOutside(request, MAX_BYTES);
  try {
    parseJson(bytes);
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body must be JSON');
  }
  return bytes;
}

function requireType(request: Request, wanted: string): void {
  if (mediaTypeOf(request) !== wanted) throw new OAuthError('invalid_request', `Content-Type must be ${wanted}`);
}

function toRegistered({ clientId, name, redirectUris, applicationType, issuedAt = '' }: OAuthClient): object {
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(Date.parse(issuedAt) / 1_000),
    ...(name !== undefined && { client_name: name }),
    redirect_uris: redirectUris,
    application_type: applicationType,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

function toTokens({ accessToken, expiresIn, refreshToken, scopes }: OAuthTokens): object {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}
