import { notFound } from '@drawbridge/contracts';
import { runAs } from '@drawbridge/rpc';
import { makerOf, requireInUse } from '../access/access.js';
import { findAccess, type FoundAccess } from '../access/find-access.js';
import { isOAuthEnabled } from '../servers/server-auth.js';
import { type OAuthParts } from './oauth-parts.js';

/** Returns a server that accepts OAuth and is in use. Throws NOT_FOUND and FORBIDDEN. */
export async function findOAuthServer(
  { pool, requireWorkspace }: Pick<OAuthParts, 'pool' | 'requireWorkspace'>,
  serverId: string,
): Promise<FoundAccess> {
  const found = await findAccess(pool, serverId, '');
  if (!found || !isOAuthEnabled(found)) throw notFound('MCP server with OAuth', serverId.slice(0, 100));
  await requireInUse({ requireWorkspace }, found);
  return found;
}

/** Runs `work` on behalf of the server's creator, because the request has no user of the organization. */
export function asMaker<T>(server: FoundAccess, work: () => Promise<T>): Promise<T> {
  return runAs({ caller: makerOf(server) }, work);
}
