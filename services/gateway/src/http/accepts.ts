import { type Request, type Response } from 'express';

// The headers are searched, not parsed, because parsing a header of 16 kB is slow.

/** Returns whether the client accepts HTML, as a browser does when it opens a URL. */
export const acceptsHtml = (request: Request): boolean => request.get('accept')?.includes('text/html') ?? false;

export const acceptsGzip = (request: Request): boolean => request.get('accept-encoding')?.includes('gzip') ?? false;

/** Sends bytes that are already compressed. */
export function sendGzip(response: Response, bytes: Buffer): void {
  response.set('Content-Encoding', 'gzip').send(bytes);
}
