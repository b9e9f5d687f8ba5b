import { ApiError } from '@drawbridge/contracts';
import { type RequestHandler } from 'express';

/**
 * Refuses requests that packages/egress marks: those of a piece, a trigger or an import. Egress itself blocks the addresses of this gateway; the mark
 * covers a host name or a proxy that egress does not know. Throws FORBIDDEN.
 */
export const refusePrograms: RequestHandler = (request, _response, next) => {
  if (request.get('x-svc-egress') === undefined) return next();
  const message = 'Drawbridge itself sent this request, for an action or a trigger. Open this address in a browser';
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'egress' } });
};

/** Refuses marked requests other than GET. Throws FORBIDDEN. */
export const refuseChangesByPrograms: RequestHandler = (request, response, next) =>
  request.method === 'GET' ? next() : refusePrograms(request, response, next);
