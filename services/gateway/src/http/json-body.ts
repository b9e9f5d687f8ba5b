import { invalid } from '@drawbridge/contracts';
import express, { type Request, type RequestHandler } from 'express';

const LIMIT = '1mb';
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** Bodies are JSON of at most 1 MiB, without the one character that PostgreSQL can't keep. None at all is an empty object. */
export function jsonBody(): RequestHandler[] {
  return [requireJson, express.json({ limit: LIMIT, verify: noteNul }), orEmpty, refuseNul];
}

const requireJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.is('*/*') !== null && request.get('content-length') !== '0';
  if (WITH_BODY.includes(request.method) && hasBody && !request.is('application/json'))
    throw invalid({ 'Content-Type': 'must be application/json' });
  next();
};

/** In valid JSON a NUL can only stand escaped: a body without that text needs no second look. */
function noteNul(request: Request & { mayHoldNul?: boolean }, _response: unknown, body: Buffer): void {
  request.mayHoldNul = body.includes('\\u0000');
}

/** So that a missing body is refused by the names of the keys that it lacks, like any other. */
const orEmpty: RequestHandler = (request, _response, next) => {
  if (WITH_BODY.includes(request.method)) request.body ??= {};
  next();
};

const refuseNul: RequestHandler = (request: Request & { mayHoldNul?: boolean }, _response, next) => {
  const paths = request.mayHoldNul ? pathsOfNul(request.body, '') : [];
  if (request.originalUrl.includes('%00')) paths.push('url');
  if (paths.length > 0) throw invalid(Object.fromEntries(paths.map((path) => [path, 'must not hold a NUL character'])));
  next();
};

function pathsOfNul(value: unknown, path: string): string[] {
  if (typeof value === 'string') return value.includes('\0') ? [path] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => pathsOfNul(item, `${path}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const place = path === '' ? key : `${path}.${key}`;
    return key.includes('\0') ? [place.replaceAll('\0', '')] : pathsOfNul(inner, place);
  });
}
