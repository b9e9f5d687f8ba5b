import { ApiError, invalid } from '@drawbridge/contracts';
import { type Request, type RequestHandler } from 'express';

/** Headers that a request may contain only once. Node.js uses the first value, but a proxy in front of the gateway may use another. */
const SINGLE = ['host', 'authorization'];

/**
 * Throws VALIDATION_ERROR for an invalid Host (RFC 9112, 3.2) or Expect header (RFC 9110, 10.1.1), which Node.js would reject without an error in the
 * format of the API, and for a repeated header of SINGLE, which Node.js would accept.
 */
export const requireValidHeaders: RequestHandler = (request, _response, next) => {
  const { host, expect } = request.headers;
  const repeated = SINGLE.find((name) => isRepeated(name, request));
  if (repeated) throw invalid({ [repeated]: 'is present more than once. Send it once' });
  if (host === undefined && request.httpVersion === '1.1') throw invalid({ Host: 'is required' });
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ApiError('VALIDATION_ERROR', 'Expect: must be 100-continue or absent', {
      status: 417,
      details: { fields: { Expect: { message: 'must be 100-continue or absent' } } },
    });
  }
  next();
};

/** Returns the media type without parameters. Cuts a longer value: it is not a media type, and parsers of media types need seconds for it. */
export function mediaTypeOf(request: Request): string {
  const [type = ''] = (request.get('content-type') ?? '').slice(0, 200).toLowerCase().split(';');
  return type.trim();
}

/** Searches the raw lines, in which names and values alternate. Node.js would build a second index of them for each request. */
function isRepeated(name: string, { rawHeaders }: Request): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times > 1;
}

/**
 * Rejects requests that Drawbridge itself sent for a piece, a trigger or an import: packages/egress marks them with a header. Egress also blocks the
 * addresses of this gateway, but does not know all host names and proxies through which it can be reached. Throws FORBIDDEN.
 */
export const refusePrograms: RequestHandler = (request, _response, next) => {
  if (request.get('x-svc-egress') === undefined) return next();
  const message = 'Drawbridge itself sent this request, for an action or a trigger. Open this address in a browser';
  throw new ApiError('FORBIDDEN', message, { details: { reason: 'egress' } });
};

/** Like `refusePrograms`, but accepts GET requests. Throws FORBIDDEN. */
export const refuseChangesByPrograms: RequestHandler = (request, response, next) =>
  request.method === 'GET' ? next() : refusePrograms(request, response, next);
