import { ApiError, invalid } from '@drawbridge/contracts';
import { toApiError } from '@drawbridge/rpc';
import { ValidateError } from '@tsoa/runtime';
import { type ErrorRequestHandler } from 'express';
import { contextOf } from './request-context.js';

const UUID_PATTERN = '[0-9a-fA-F]{8}(-';

/** Prints any failure as `{error, code, details}`. */
export const printError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const { requestId, log } = contextOf(response);
  const refused = ofShape(error) ?? ofBody(error) ?? ofPath(error) ?? ofCoercion(error);
  const known = refused ?? toApiError(error, { call: request.method, requestId, log });
  const { retryAfter } = known.details;
  if (typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
  response.status(known.status).json({ error: known.message, code: known.code, details: known.details });
};

/** Every problem of shape that tsoa found, by the path of its key: `values.amount`, `enforcedKeys[2]`. */
function ofShape(error: unknown): ApiError | undefined {
  if (!(error instanceof ValidateError)) return undefined;
  const problems = Object.entries(error.fields).map(([path, { message }]) => [pathOf(path), readable(message)]);
  return invalid(Object.fromEntries(problems));
}

function pathOf(tsoaPath: string): string {
  return tsoaPath.replace(/^(body|query|request)\./, '').replace(/\.\$?(\d+)(?=\.|$)/g, '[$1]');
}

/** tsoa reports a union as JSON text of its members' problems; an optional key is a union with undefined to it. */
function readable(message: string): string {
  const issues = /Issues: (\[.*\])$/s.exec(message)?.[1];
  if (!issues) return plain(message);
  const members = JSON.parse(issues) as Record<string, { message: string }>[];
  const problems = members.flatMap((member) => Object.values(member).map((problem) => plain(problem.message)));
  return [...new Set(problems)].filter((problem) => problem !== 'invalid undefined value').join(' or ');
}

function plain(message: string): string {
  if (message.endsWith('is an excess property and therefore is not allowed')) return 'unknown key';
  if (message.includes(UUID_PATTERN)) return 'must be a UUID';
  return message.replace(/^Not match in /, 'must match ').replace(/^'[\w.]+' is required$/, 'is required');
}

/** What the body parser refuses: it names the reason in `type`. */
function ofBody(error: unknown): ApiError | undefined {
  const { type, status } = error as { type?: string; status?: number };
  if (type === undefined || status === undefined || status >= 500) return undefined;
  if (type === 'entity.too.large') {
    return new ApiError('VALIDATION_ERROR', 'The body is larger than 1 MiB', { status: 413 });
  }
  if (type === 'entity.parse.failed') return new ApiError('VALIDATION_ERROR', 'The body is not valid JSON');
  return new ApiError('VALIDATION_ERROR', 'The body can not be read', { cause: error });
}

/** Percent sequences that are no UTF-8: express reports them as what decodeURIComponent threw. */
function ofPath(error: unknown): ApiError | undefined {
  return error instanceof URIError ? invalid({ url: 'must be percent-encoded UTF-8' }) : undefined;
}

/** tsoa makes text of whatever stands where one of a set belongs; an object with a key `toString` has none. */
function ofCoercion(error: unknown): ApiError | undefined {
  const isIt = error instanceof TypeError && error.message === 'Cannot convert object to primitive value';
  return isIt ? new ApiError('VALIDATION_ERROR', 'The body has an object where a plain value belongs') : undefined;
}
