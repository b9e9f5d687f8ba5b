import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response } from 'express';
import { LRUCache } from 'lru-cache';
import { operationOf } from './route-table.js';

/** Lifetime of a cached response. Clients cache it for MAX_AGE_SECONDS. During a deployment, a cache may return the catalog of the other version. */
const KEPT_MS = 10_000;
const MAX_AGE_SECONDS = 60;
const MAX_BYTES = 16 * 1024 * 1024;

interface Answer {
  bytes: Buffer;
  /** A strong validator: it identifies exactly these bytes (RFC 9110, 8.8.3). */
  etag: string;
}

/**
 * Caches responses that are the same for all callers, and responds with 304 to a client that has the current response. Register it after all handlers
 * that reject or count requests.
 */
export function keptAnswers(): RequestHandler {
  const sizeCalculation = ({ bytes }: Answer, url: string): number => bytes.length + url.length;
  const kept = new LRUCache<string, Answer>({ ttl: KEPT_MS, maxSize: MAX_BYTES, sizeCalculation });
  return (request, response, next) => {
    if (!operationOf(response).isSameForAll) return next();
    const known = kept.get(request.originalUrl);
    if (known) return void send(request, response, known);

    const print = response.json.bind(response);
    response.json = (body: unknown) => {
      if (response.statusCode !== 200) return print(body);
      const answer = toAnswer(request, body);
      kept.set(request.originalUrl, answer);
      return send(request, response, answer);
    };
    next();
  };
}

function toAnswer({ app }: Request, body: unknown): Answer {
  const bytes = Buffer.from(JSON.stringify(body, app.get('json replacer')));
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

function send(request: Request, response: Response, { bytes, etag }: Answer): Response {
  const readers = operationOf(response).isPublic ? 'public' : 'private';
  response.set({ ETag: etag, 'Cache-Control': `${readers}, max-age=${MAX_AGE_SECONDS}` });
  if (isKnown(request.get('if-none-match'), etag)) return response.status(304).end();
  return response.type('json').send(bytes);
}

/**
 * Uses the weak comparison of RFC 9110, 13.1.2. Express's own check follows the Cache-Control header that `fetch` adds, and would never respond with
 * 304.
 */
function isKnown(header: string | undefined, etag: string): boolean {
  const known = header?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known?.some((tag) => tag === etag || tag === '*') ?? false;
}
