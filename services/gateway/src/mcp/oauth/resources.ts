import { type Request } from 'express';
import { type Site } from '../../http/site.js';

const SERVER = '/mcp/srv_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';

/** Returns the issuer: the address of the site without a trailing slash. */
export const issuerOf = (site: Site, request: Request): string => site.address(request, '');

/** Returns the id of the server that an address of this site names, or undefined. */
export function serverOf(site: Site, request: Request, resource: string): string | undefined {
  const issuer = issuerOf(site, request);
  if (!resource.startsWith(`${issuer}/`)) return undefined;
  return new RegExp(`^${SERVER}/?$`, 'i').exec(resource.slice(issuer.length))?.[1]?.toLowerCase();
}

/** Returns the server id in a path, or undefined. */
export const serverInPath = (path: string): string | undefined =>
  new RegExp(`^${SERVER}$`, 'i').exec(path)?.[1]?.toLowerCase();

/** Returns the metadata URL of a server (RFC 9728, 3.1): the well-known part stands between the host and the path. */
export function metadataAddress(site: Site, request: Request, serverId: string): string {
  const { origin, pathname } = new URL(site.address(request, `/mcp/srv_${serverId}`));
  return `${origin}/.well-known/oauth-protected-resource${pathname}`;
}
