import { ApiError, notFound } from '@drawbridge/contracts';
import { type Request, Router } from 'express';
import { type Clients } from '../../clients.js';
import { type Site } from '../../http/site.js';
import { endpointOf } from '../../rest/mcp-endpoint.js';
import { openToBrowsers } from './open-to-browsers.js';
import { issuerOf, serverInPath } from './resources.js';
import { SCOPES } from './scopes.js';

const REMEMBER = 'public, max-age=60';

interface Needs {
  clients: Pick<Clients, 'mcpOAuth'>;
  site: Site;
}

/**
 * Serves the metadata that clients read first: of each server (RFC 9728), in both positions of its path, and of the authorization server (RFC 8414),
 * also at the path of OpenID. A proxy may remove a folder from the path, so each works with and without it.
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

/** Does not reveal whether a suspended server exists. */
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

/** OpenID clients require these fields. The gateway issues no ID tokens and signs nothing. */
function ofOpenId(issuer: string): object {
  return {
    jwks_uri: `${issuer}/oauth/jwks`,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}
