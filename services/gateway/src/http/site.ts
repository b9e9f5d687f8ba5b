import { isIP } from 'node:net';
import { ApiError } from '@drawbridge/contracts';
import { type Request } from 'express';

/** The public address of the gateway. */
export interface Site {
  /** True when BASE_URL uses https; then cookies are sent over TLS only. */
  isSecure: boolean;
  /** BASE_URL without a trailing slash; undefined when it is not set. */
  baseUrl?: string;
  /** The host name in BASE_URL. */
  hostname?: string;
  /** Returns a path as browsers request it: BASE_URL may contain a folder. */
  path(path: string): string;
  /** Returns the absolute URL of a path, for other programs and sites. */
  address(request: Request, path: string): string;
  /**
   * Prevents forged requests (CSRF). Browsers send the origin of the page with every form and every fetch that changes something, and no page can
   * forge it. Throws FORBIDDEN.
   */
  requireSameOrigin(request: Request): void;
}

/** Without BASE_URL, the site is the address that the browser used. A page of another site still sends another origin. */
export function siteOf(baseUrl: string): Site {
  const base = baseUrl === '' ? undefined : new URL(baseUrl);
  const folder = base?.pathname.replace(/\/$/, '') ?? '';
  const originOf = (request: Request): string => base?.origin ?? `${request.protocol}://${request.get('host')}`;
  return {
    isSecure: base?.protocol === 'https:',
    baseUrl: base && base.origin + folder,
    hostname: base?.hostname,
    path: (path) => folder + path,
    address: (request, path) => originOf(request) + folder + path,
    requireSameOrigin(request) {
      if (request.get('origin') === originOf(request)) return;
      throw new ApiError('FORBIDDEN', 'The request comes from another site', { details: { reason: 'origin' } });
    },
  };
}

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
