import { ApiError, invalid } from '@drawbridge/contracts';
import { type RequestHandler } from 'express';

/** What Node.js would refuse by itself in a shape of its own: RFC 9112, 3.2 (Host) and RFC 9110, 10.1.1 (Expect). */
export const requireValidHeaders: RequestHandler = (request, _response, next) => {
  const { host, expect } = request.headers;
  if (host === undefined && request.httpVersion === '1.1') throw invalid({ Host: 'is required' });
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ApiError('VALIDATION_ERROR', 'Expect: must be 100-continue or absent', {
      status: 417,
      details: { fields: { Expect: { message: 'must be 100-continue or absent' } } },
    });
  }
  next();
};
