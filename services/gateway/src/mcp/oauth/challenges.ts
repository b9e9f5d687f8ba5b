import { ApiError } from '@drawbridge/contracts';
import { memoize } from '@drawbridge/rpc';
import { type Request } from 'express';
import { type Clients } from '../../clients.js';
import { type Site } from '../../http/site.js';
import { metadataAddress, serverInPath } from './resources.js';

const REMEMBER_MS = 900;
const MAX_KNOWN = 10_000;

/**
 * Returns the details that lead a client without a token to the OAuth metadata. Empty for a server that has no OAuth, is suspended or does not exist.
 */
export type Challenges = (request: Request<{ server: string }>) => Promise<Record<string, unknown>>;

export function challenges({ clients, site }: { clients: Pick<Clients, 'mcpOAuth'>; site: Site }): Challenges {
  const scopeOf = memoize({ ttlMs: REMEMBER_MS, max: MAX_KNOWN }, async (serverId) => {
    const authorization = await clients.mcpOAuth.getAuthorization({ serverId }).catch(unlessClosed);
    return authorization?.scopes.join(' ') ?? '';
  });
  return async (request) => {
    const serverId = serverInPath(`/mcp/${request.params.server}`);
    const scope = serverId === undefined ? '' : await scopeOf(serverId);
    if (serverId === undefined || scope === '') return {};
    return { resourceMetadata: metadataAddress(site, request as Request, serverId), scope };
  };
}

function unlessClosed(error: unknown): undefined {
  if (error instanceof ApiError && (error.code === 'NOT_FOUND' || error.code === 'FORBIDDEN')) return undefined;
  throw error;
}
