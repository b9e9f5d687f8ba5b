import { ApiError, notFound } from '@drawbridge/contracts';
import { memoize } from '@drawbridge/rpc';
import cors from 'cors';
import { type Request, type RequestHandler, Router } from 'express';
import { type Clients, unless } from '../../clients.js';
import { requireOwnHost, type Site } from '../../http/site.js';
import { SCOPES } from './parameters.js';

const REMEMBER = 'public, max-age=60';

interface Needs {
  clients: Pick<Clients, 'mcpOAuth'>;
  site: Site;
}

/**
 * Serves the metadata that OAuth clients read first: that of each MCP server (RFC 9728), with the well-known part before or after the server's path,
 * and that of the authorization server (RFC 8414), also at the path of OpenID. If BASE_URL contains a folder, the paths work with and without it,
 * because a proxy may remove the folder.
 */
export function metadata({ clients, site }: Needs): Router {
  const router = Router();
  const folder = site.path('');
  router.use(['/.well-known', '/mcp', '/oauth/jwks'], openToBrowsers(site));
  router.get(/^\/\.well-known\/oauth-protected-resource(\/.*)$/, async (request, response) => {
    const path = request.params[0]!;
    const server = serverInPath(path.startsWith(`${folder}/mcp/`) ? path.slice(folder.length) : path);
    response.set('Cache-Control', REMEMBER).json(await resource(request, server));
  });
  router.get(/^(\/mcp\/[^/]+)\/\.well-known\/oauth-protected-resource$/, async (request, response) => {
    response.set('Cache-Control', REMEMBER).json(await resource(request, serverInPath(request.params[0]!)));
  });
  for (const [name, more] of [
    ['oauth-authorization-server', () => ({})],
    ['openid-configuration', ofOpenId],
  ] as const) {
    router.get([...new Set([`/.well-known/${name}`, `/.well-known/${name}${folder}`])], (request, response) => {
      const issuer = issuerOf(site, request);
      response.set('Cache-Control', REMEMBER).json({ ...ofServer(issuer), ...more(issuer) });
    });
  }
  router.get('/oauth/jwks', (_request, response) => void response.set('Cache-Control', REMEMBER).json({ keys: [] }));
  return router;

  async function resource(request: Request, serverId: string | undefined): Promise<object> {
    if (serverId === undefined) throw new ApiError('NOT_FOUND', `No such path: ${request.path}`);
    const { scopes, serverName } = await clients.mcpOAuth.getAuthorization({ serverId }).catch(hideSuspended(serverId));
    return {
      resource: endpointOf(site, request, serverId),
      authorization_servers: [issuerOf(site, request)],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: serverName,
    };
  }
}

/** Reports a suspended server as not found, so that the public metadata do not reveal whether it exists. */
const hideSuspended = (serverId: string) => (error: unknown) => {
  if (error instanceof ApiError && error.code === 'FORBIDDEN') throw notFound('MCP server with OAuth', serverId);
  throw error;
};

function ofServer(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    registration_endpoint: `${issuer}/oauth/register`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

/** Returns the additional fields that OpenID clients require. They have no effect, because the gateway issues no ID tokens and signs nothing. */
function ofOpenId(issuer: string): object {
  return {
    jwks_uri: `${issuer}/oauth/jwks`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

const REMEMBER_MS = 900;
const MAX_KNOWN = 10_000;

/**
 * Returns the error details that refer a client without a token to the OAuth metadata. Empty for a server that has no OAuth, is suspended or does not
 * exist.
 */
export type Challenges = (request: Request<{ server: string }>) => Promise<Record<string, unknown>>;

export function challenges({ clients, site }: { clients: Pick<Clients, 'mcpOAuth'>; site: Site }): Challenges {
  const scopeOf = memoize({ ttlMs: REMEMBER_MS, max: MAX_KNOWN }, async (serverId) => {
    const authorization = await clients.mcpOAuth.getAuthorization({ serverId }).catch(unless('NOT_FOUND', 'FORBIDDEN'));
    return authorization?.scopes.join(' ') ?? '';
  });
  return async (request) => {
    const serverId = serverInPath(`/mcp/${request.params.server}`);
    const scope = serverId === undefined ? '' : await scopeOf(serverId);
    if (serverId === undefined || scope === '') return {};
    return { resourceMetadata: metadataAddress(site, request as Request, serverId), scope };
  };
}

const SERVER = '/mcp/srv_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

/** Returns the issuer: the address of the site without a trailing slash. */
export const issuerOf = (site: Site, request: Request): string => site.address(request, '');

/** Returns the id of the MCP server with the URL `resource`, or undefined if this site has no such URL. */
export function serverOf(site: Site, request: Request, resource: string): string | undefined {
  const issuer = issuerOf(site, request);
  if (!resource.startsWith(`${issuer}/`)) return undefined;
  return new RegExp(`^${SERVER}/?$`, 'i').exec(resource.slice(issuer.length))?.[1]?.toLowerCase();
}

/** Returns the server id in a path, or undefined. */
const serverInPath = (path: string): string | undefined =>
  new RegExp(`^${SERVER}$`, 'i').exec(path)?.[1]?.toLowerCase();

/** Returns the metadata URL of a server (RFC 9728, 3.1). The well-known part is between the host and the path. */
function metadataAddress(site: Site, request: Request, serverId: string): string {
  const { origin, pathname } = new URL(site.address(request, `/mcp/srv_${serverId}`));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}

/**
 * Allows pages of every origin to call the endpoints of OAuth (CORS), as MCP clients in browsers do. These endpoints read no cookie, so a page has no
 * more access than any other client. Throws FORBIDDEN for a Host header of another site.
 */
export function openToBrowsers(site: Site): RequestHandler {
  const checkHost: RequestHandler = (request, _response, next) => {
    requireOwnHost(request, site);
    next();
  };
  const headers = ['Authorization', 'Content-Type', 'MCP-Protocol-Version'];
  return Router().use(checkHost, cors({ methods: ['GET', 'POST'], allowedHeaders: headers, maxAge: 86_400 }));
}

/** Returns the URL at which agents reach a server. */
export function endpointOf(site: Site, request: Request, serverId: string): string {
  return site.address(request, `/mcp/srv_${serverId}`);
}
