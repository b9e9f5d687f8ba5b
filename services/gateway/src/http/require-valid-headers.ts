import { ApiError, invalid } from '@drawbridge/contracts';
import { type Request, type RequestHandler } from 'express';

/** Headers of which Node.js takes the first line, where a proxy in front may have taken another. */
const SINGLE = ['host', 'authorization'];

/**
 * Fails with VALIDATION_ERROR for what Node.js would refuse in a shape of its own, RFC 9112, 3.2 (Host) and RFC 9110, 10.1.1
 * (Expect), and for what it would take although it may be read in two ways.
 */
export const requireValidHeaders: RequestHandler = (request, _response, next) => {
  const { host, expect } = request.headers;
  const repeated = SINGLE.find((name) => isRepeated(name, request));
  if (repeated) throw invalid({ [repeated]: 'must be given once' });
  if (host === undefined && request.httpVersion === '1.1') throw invalid({ Host: 'is required' });
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new ApiError('VALIDATION_ERROR', 'Expect: must be 100-continue or absent', {
      status: 417,
      details: { fields: { Expect: { message: 'must be 100-continue or absent' } } },
    });
  }
  next();
};

/** Node.js keeps the lines as they came, names and values in turn; its own index of them is made for each request that asks. */
function isRepeated(name: string, { rawHeaders }: Request): boolean {
  let times = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at]!;
    if (given.length === name.length && given.toLowerCase() === name) times += 1;
  }
  return times > 1;
}
