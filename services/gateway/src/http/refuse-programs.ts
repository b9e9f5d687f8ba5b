import { ApiError } from '@drawbridge/contracts';
import { type RequestHandler } from 'express';

/**
 * Refuses what packages/egress marks: a request of a piece, a trigger or an import. Egress refuses this gateway's addresses
 * itself; the mark covers a name or a proxy that it does not know. Throws FORBIDDEN.
 */
export const refusePrograms: RequestHandler = (request, _response, next) => {
  if (request.get('x-svc-egress') === undefined) return next();
  const message = 'Drawbridge itself sent this request, for an action or a trigger. Open this address in a browser';
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'egress' } });
};

/** The same for changes alone. */
export const refuseChangesByPrograms: RequestHandler = (request, response, next) =>
  request.method === 'GET' ? next() : refusePrograms(request, response, next);
