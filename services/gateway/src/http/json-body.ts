import { invalid } from '@drawbridge/contracts';
import express, { type RequestHandler } from 'express';
import { unkeepable } from './unkeepable.js';

const LIMIT = '1mb';
const WITH_BODY = ['POST', 'PUT', 'PATCH'];

/** Bodies are JSON of at most 1 MiB that can be kept as it is. None at all is an empty object. */
export function jsonBody(): RequestHandler[] {
  return [requireJson, express.json({ limit: LIMIT }), orEmpty, requireKeepable];
}

const requireJson: RequestHandler = (request, _response, next) => {
  const hasBody = request.is('*/*') !== null && request.get('content-length') !== '0';
  if (WITH_BODY.includes(request.method) && hasBody && !request.is('application/json')) {
    throw invalid({ 'Content-Type': 'must be application/json' });
  }
  next();
};

/** So that a missing body is refused by the names of the keys that it lacks, like any other. */
const orEmpty: RequestHandler = (request, _response, next) => {
  if (WITH_BODY.includes(request.method)) request.body ??= {};
  next();
};

const requireKeepable: RequestHandler = (request, _response, next) => {
  const problems = unkeepable(request.body);
  if (request.originalUrl.includes('%00')) problems['url'] = 'must not hold a NUL character';
  if (Object.keys(problems).length > 0) throw invalid(problems);
  next();
};
