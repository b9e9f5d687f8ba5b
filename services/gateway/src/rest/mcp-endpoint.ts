import { type Request } from 'express';
import { type Site } from '../http/site.js';

/** Where agents reach a server. */
export function endpointOf(site: Site, request: Request, serverId: string): string {
  return site.address(request, `/mcp/srv_${serverId}`);
}
