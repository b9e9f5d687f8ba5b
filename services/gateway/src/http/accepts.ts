import { type Request, type Response } from 'express';

// The headers are searched, not parsed, because parsing 16 kB of one is slow.

/** Returns whether a browser opens the URL. */
export const acceptsHtml = (request: Request): boolean => request.get('accept')?.includes('text/html') ?? false;

export const acceptsGzip = (request: Request): boolean => request.get('accept-encoding')?.includes('gzip') ?? false;

/** Sends bytes that are compressed already. */
export function sendGzip(response: Response, bytes: Buffer): void {
  response.set('Content-Encoding', 'gzip').send(bytes);
}
