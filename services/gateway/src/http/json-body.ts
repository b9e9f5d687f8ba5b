import { ApiError, invalid, requireParsable, storageProblems } from '@drawbridge/contracts';
import { type Request, type RequestHandler } from 'express';
import { type Kind } from '../admission/concurrency-limits.js';
import { type Slots, slotsOf } from '../admission/request-slots.js';
import { LARGE_BYTES, readBody } from './read-body.js';
import { contextOf } from './request-context.js';
import { operationOf } from './route-table.js';

/** Longer Content-Type headers are rejected: they are not media types, and media-type parsers need seconds for them. */
const MAX_TYPE_CHARACTERS = 200;

/**
 * Reads the body of an operation that declares a body, after the caller is authenticated. The body must be UTF-8 JSON that can be stored unchanged.
 * An empty body is read as an empty object, so that the error names the missing keys. Throws VALIDATION_ERROR, and TIMEOUT (408) for a slow body.
 */
export function jsonBody(slots: Slots, large: Kind = 'body past 64 kB'): RequestHandler {
  return async (request, response, next) => {
    if (request.originalUrl.includes('%00')) throw invalid({ url: 'must not contain a NUL character' });
    const { maxBodyBytes } = operationOf(response);
    if (maxBodyBytes === undefined) return next();
    if (hasBody(request)) requireJson(request.get('content-type') ?? '');

    const organization = contextOf(response).caller?.orgId ?? '';
    const makeRoom = (): Promise<void> => slotsOf(response).take(large, { organization });
    const bytes = await readBody(request, { limit: maxBodyBytes, makeRoom });
    if (bytes.length > LARGE_BYTES) await takeEventLoop(slots, organization);
    if (response.closed) return; // the caller disconnected while the body waited: parsing it would only delay the next body
    response.locals['bodyBytes'] = bytes.length;
    request.body = bytes.length === 0 ? {} : parseJson(bytes);
    next();
  };
}

/**
 * Resolves when the caller may parse a large body, which blocks the event loop. The next large body waits until other work had as much time as this
 * parsing took.
 */
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

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parses UTF-8 JSON to a value that can be stored unchanged. Throws VALIDATION_ERROR. */
export function parseJson(bytes: Buffer): unknown {
  requireParsable(bytes);
  const value = parsed(bytes);
  const problems = storageProblems(value);
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return value;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new ApiError('VALIDATION_ERROR', 'The body is not valid JSON');
  }
}
