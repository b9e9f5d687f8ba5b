import { ApiError } from '@drawbridge/contracts';
import { type Request } from 'express';

/** Where browsers reach the gateway. */
export interface Site {
  /** Over TLS: then its cookies travel on nothing else. */
  isSecure: boolean;
  /** A path of ours as a browser asks for it: BASE_URL may have a folder. */
  path(path: string): string;
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
  return {
    isSecure: base?.protocol === 'https:',
    path: (path) => folder + path,
    requireSameOrigin(request) {
      const own = base?.origin ?? `${request.protocol}://${request.get('host')}`;
      if (request.get('origin') === own) return;
      throw new ApiError('FORBIDDEN', 'The request comes from another site', { details: { reason: 'origin' } });
    },
  };
}
