import { isIP } from 'node:net';
import { ApiError } from '@drawbridge/contracts';
import { type Request } from 'express';
import { type Site } from '../http/site.js';

const LOCAL = ['localhost', 'localhost.localdomain'];

/**
 * Against pages that reach a server by a name that they made lead to it (DNS rebinding), and against pages of others. A name is ours where
 * BASE_URL says so or it is this machine's own; an address is no name. Behind a proxy it is the proxy that knows. Throws FORBIDDEN.
 */
export function requireOwnSite(request: Request, site: Site): void {
  if (request.get('origin') !== undefined) site.requireSameOrigin(request);
  requireOwnHost(request, site);
}

/** The check of the Host header alone, for endpoints that pages of other sites may call. Throws FORBIDDEN. */
export function requireOwnHost(request: Request, site: Site): void {
  const behindProxy = Boolean(request.app.get('trust proxy'));
  if (behindProxy || isOwnName(hostnameOf(request.get('host')), site)) return;
  const message = 'The Host header names another site; the operator says by BASE_URL what this one is called';
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'host' } });
}

function isOwnName(name: string, { hostname }: Site): boolean {
  return (
    name === hostname || LOCAL.includes(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0
  );
}

/** Lower case, without the port. */
function hostnameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}
