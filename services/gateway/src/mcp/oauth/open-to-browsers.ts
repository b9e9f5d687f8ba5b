import cors from 'cors';
import { type RequestHandler, Router } from 'express';
import { type Site } from '../../http/site.js';
import { requireOwnHost } from '../require-own-site.js';

/**
 * Lets pages of every origin call the endpoints of OAuth (CORS), as MCP clients in browsers do. These endpoints read no
 * cookie, so a page can do no more than any program. Throws FORBIDDEN for a Host header of another site.
 */
export function openToBrowsers(site: Site): RequestHandler {
  const checkHost: RequestHandler = (request, _response, next) => {
    requireOwnHost(request, site);
    next();
  };
  const headers = ['Authorization', 'Content-Type', 'MCP-Protocol-Version'];
  return Router().use(checkHost, cors({ methods: ['GET', 'POST'], allowedHeaders: headers, maxAge: 86_400 }));
}
