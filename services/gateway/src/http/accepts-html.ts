import { type Request } from 'express';

/** Returns whether a browser opens the URL. The header is searched, not parsed, because parsing 16 kB of it is slow. */
export function acceptsHtml(request: Request): boolean {
  return request.get('accept')?.includes('text/html') ?? false;
}
