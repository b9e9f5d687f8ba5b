import { invalid } from '@drawbridge/contracts';
import { type Request, type RequestHandler } from 'express';
import { type Kind } from '../admission/limits.js';
import { type Slots, slotsOf } from '../admission/slots.js';
import { parseJson } from './parse-json.js';
import { LARGE_BYTES, readBody } from './read-body.js';
import { contextOf } from './request-context.js';
import { operationOf } from './route-table.js';

/** A longer one is no media type, and costs seconds in the parsers of media types. */
const MAX_TYPE_CHARACTERS = 200;

/**
 * Reads a body where the operation declares one, after its caller is known: JSON in UTF-8 that can be kept as it is. None
 * at all is an empty object, so that it is refused by the names of the keys that it lacks.
 */
export function jsonBody(slots: Slots, large: Kind = 'body past 64 kB'): RequestHandler {
  return async (request, response, next) => {
    if (request.originalUrl.includes('%00')) throw invalid({ url: 'must not hold a NUL character' });
    const { maxBodyBytes } = operationOf(response);
    if (maxBodyBytes === undefined) return next();
    if (hasBody(request)) requireJson(request.get('content-type') ?? '');

    const organization = contextOf(response).caller?.orgId ?? '';
    const makeRoom = (): Promise<void> => slotsOf(response).take(large, { organization });
    const bytes = await readBody(request, { limit: maxBodyBytes, makeRoom });
    if (bytes.length > LARGE_BYTES) await takeEventLoop(slots, organization);
    if (response.closed) return; // the next body is parsed
    response.locals['bodyBytes'] = bytes.length;
    request.body = bytes.length === 0 ? {} : parseJson(bytes);
    next();
  };
}

/** Resolves when a large body may be parsed, at once. Then the event loop belongs to all other work for as long as that took. */
export async function takeEventLoop(slots: Slots, organization: string): Promise<void> {
  const release = await slots.take(
    'parsing of a body past 64 kB',
    { organization },
    () => new AbortController().signal,
  );
  const startedAt = performance.now();
  setImmediate(() => setTimeout(release, performance.now() - startedAt));
}

function hasBody(request: Request): boolean {
  const length = request.get('content-length');
  return request.get('transfer-encoding') !== undefined || (length !== undefined && length !== '0');
}

function requireJson(contentType: string): void {
  const [type = '', ...parameters] = contentType.slice(0, MAX_TYPE_CHARACTERS).toLowerCase().split(';');
  if (type.trim() !== 'application/json') throw invalid({ 'Content-Type': 'must be application/json' });
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  const isUtf8 = charset === undefined || /^\s*charset="?utf-?8"?\s*$/.test(charset);
  if (!isUtf8 || contentType.length > MAX_TYPE_CHARACTERS) {
    throw invalid({ 'Content-Type': 'must be application/json in UTF-8' });
  }
}
