import { invalid } from '@drawbridge/contracts';
import express, { type RequestHandler } from 'express';

const LIMIT = '1mb';
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** Bodies are JSON objects of at most 1 MiB. */
export function jsonBody(): RequestHandler[] {
  const requireJson: RequestHandler = (request, _response, next) => {
    const hasBody = WITH_BODY.includes(request.method) && request.is('*/*') !== null;
    if (hasBody && !request.is('application/json')) {
      throw invalid({ 'Content-Type': 'must be application/json' });
    }
    next();
  };
  return [requireJson, express.json({ limit: LIMIT })];
}
