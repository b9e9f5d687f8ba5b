import { type Request, type Response } from 'express';

// These functions search the headers for a substring. To parse a header of 16 kB would be slow.

/** Returns whether the client accepts HTML, as a browser does when it opens a URL. */
export const acceptsHtml = (request: Request): boolean => request.get('accept')?.includes('text/html') ?? false;

export const acceptsGzip = (request: Request): boolean => request.get('accept-encoding')?.includes('gzip') ?? false;

/** Sends bytes that are already compressed. */
export function sendGzip(response: Response, bytes: Buffer): void {
  response.set('Content-Encoding', 'gzip').send(bytes);
}
