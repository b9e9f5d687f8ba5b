import { type Request } from 'express';
import { type Site } from '../../http/site.js';

const SERVER = '/mcp/srv_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

/** How the authorization server is called: where it is reached, without a slash at its end. */
export const issuerOf = (site: Site, request: Request): string => site.address(request, '');

/** Which server an address of this site names; undefined: none. */
export function serverOf(site: Site, request: Request, resource: string): string | undefined {
  const issuer = issuerOf(site, request);
  if (!resource.startsWith(`${issuer}/`)) return undefined;
  return new RegExp(`^${SERVER}/?$`, 'i').exec(resource.slice(issuer.length))?.[1]?.toLowerCase();
}

/** The id in a path of ours. */
export const serverInPath = (path: string): string | undefined =>
  new RegExp(`^${SERVER}$`, 'i').exec(path)?.[1]?.toLowerCase();

/** Where what there is to know of a server stands (RFC 9728, 3.1): before its path, as far as the host is concerned. */
export function metadataAddress(site: Site, request: Request, serverId: string): string {
  const { origin, pathname } = new URL(site.address(request, `/mcp/srv_${serverId}`));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}
