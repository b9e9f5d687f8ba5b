import { isIP } from 'node:net';
import { ApiError } from '@drawbridge/contracts';
import { type Request } from 'express';
import { type Site } from '../http/site.js';

const LOCAL = ['localhost', 'localhost.localdomain'];

/**
 * Prevents DNS rebinding and requests from pages of other sites. Allowed hosts are that of BASE_URL, names of this machine, and IP addresses; behind
 * a proxy, the proxy must check the host. Throws FORBIDDEN.
 */
export function requireOwnSite(request: Request, site: Site): void {
  if (request.get('origin') !== undefined) site.requireSameOrigin(request);
  requireOwnHost(request, site);
}

/** Checks the Host header only, for endpoints that pages of other sites may call. Throws FORBIDDEN. */
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
