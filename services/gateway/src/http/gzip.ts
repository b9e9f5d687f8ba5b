import { type Request, type Response } from 'express';

/** Returns whether the client accepts gzip. The header is searched, not parsed, because parsing 16 kB of it is slow. */
export const acceptsGzip = (request: Request): boolean => request.get('accept-encoding')?.includes('gzip') ?? false;

/** Sends bytes that are compressed already. */
export function sendGzip(response: Response, bytes: Buffer): void {
  response.set('Content-Encoding', 'gzip').send(bytes);
}
