import { isIP } from 'node:net';
import { ApiError } from '@drawbridge/contracts';
import { type Request } from 'express';

/** The public address of the gateway. */
export interface Site {
  /** True if BASE_URL uses https. Then browsers send the cookies over TLS only. */
  isSecure: boolean;
  /** BASE_URL without a trailing slash. Undefined if BASE_URL is not set. */
  baseUrl?: string;
  /** The host name in BASE_URL. */
  hostname?: string;
  /** Returns a path as browsers request it, because BASE_URL may contain a folder. */
  path(path: string): string;
  /** Returns the absolute URL of a path, for other programs and sites. */
  address(request: Request, path: string): string;
  /**
   * Prevents cross-site request forgery (CSRF). Browsers send the origin of the page with every form and every fetch that changes something, and no
   * page can forge it. Throws FORBIDDEN.
   */
  requireSameOrigin(request: Request): void;
}

/**
 * Returns the site. Without BASE_URL, its origin is the address to which the browser sent the request. The comparison with the Origin header still
 * detects a page of another site.
 */
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
 * Prevents DNS rebinding and requests from pages of other sites. Allowed hosts are the host of BASE_URL, names of this machine, and IP addresses.
 * Behind a proxy, the proxy must check the host. Throws FORBIDDEN.
 */
export function requireOwnSite(request: Request, site: Site): void {
  if (request.get('origin') !== undefined) site.requireSameOrigin(request);
  requireOwnHost(request, site);
}

/** Checks the Host header only, for endpoints that pages of other sites may call. Throws FORBIDDEN. */
export function requireOwnHost(request: Request, site: Site): void {
  const behindProxy = Boolean(request.app.get('trust proxy'));
  if (behindProxy || isOwnName(hostnameOf(request.get('host')), site)) return;
  const message = 'The Host header does not match this site. The operator sets its address in BASE_URL';
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'host' } });
}

function isOwnName(name: string, { hostname }: Site): boolean {
  return (
    name === hostname || LOCAL.includes(name) || name.endsWith('.localhost') || isIP(name.replace(/^\[|\]$/g, '')) > 0
  );
}

/** Returns the host name in lower case, without the port. */
function hostnameOf(host = ''): string {
  return host.toLowerCase().replace(/:\d*$/, '');
}
