import { ApiError } from '@drawbridge/contracts';
import { type Request } from 'express';

/** Where browsers reach the gateway. */
export interface Site {
  /** Over TLS: then its cookies travel on nothing else. */
  isSecure: boolean;
  /** BASE_URL without a slash at its end, where it is set. */
  baseUrl?: string;
  /** What BASE_URL calls it. */
  hostname?: string;
  /** A path of ours as a browser asks for it: BASE_URL may have a folder. */
  path(path: string): string;
  /** The same for whoever is elsewhere. */
  address(request: Request, path: string): string;
  /**
   * Against forged requests (CSRF). Browsers name the page's origin with every form and every fetch that changes something,
   * and no page can make them name another. Throws FORBIDDEN.
   */
  requireSameOrigin(request: Request): void;
}

/** Without BASE_URL it is whatever address the browser used: a page of somebody else's has that somebody's. */
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
