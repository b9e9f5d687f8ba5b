import { type ApiError, invalid } from '@drawbridge/contracts';
import { toApiError } from '@drawbridge/rpc';
import { ValidateError } from '@tsoa/runtime';
import { type ErrorRequestHandler, type Response } from 'express';
import { contextOf } from './request-context.js';

const UUID_PATTERN = '[0-9a-fA-F]{8}(-';

/** Sends any error as `{error, code, details}`. */
export const sendError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const known = ofShape(error) ?? knownError(error, response, request.method);
  setRetryAfter(response, known);
  if (known.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.status(known.status).json({ error: known.message, code: known.code, details: known.details });
};

/** Converts a validation error of tsoa. `details.fields` contains the path of each wrong key, such as `values.amount` or `enforcedKeys[2]`. */
function ofShape(error: unknown): ApiError | undefined {
  if (!(error instanceof ValidateError)) return undefined;
  const problems = Object.entries(error.fields).map(([path, { message }]) => [pathOf(path), readable(message)]);
  return invalid(Object.fromEntries(problems));
}

function pathOf(tsoaPath: string): string {
  return tsoaPath.replace(/^(body|query|request)\./, '').replace(/\.\$?(\d+)(?=\.|$)/g, '[$1]');
}

function readable(message: string): string {
  if (message.endsWith('is an excess property and therefore is not allowed')) return 'unknown key';
  if (message.includes(UUID_PATTERN)) return 'must be a UUID';
  return message.replace(/^Not match in /, 'must match ').replace(/^'[\w.]+' is required$/, 'is required');
}

/** Returns the error to send to the caller. Logs unexpected errors. Express throws URIError for percent sequences that are not UTF-8. */
export function knownError(error: unknown, response: Response, call: string): ApiError {
  if (error instanceof URIError) return invalid({ url: 'must be percent-encoded UTF-8' });
  const { requestId, log } = contextOf(response);
  return toApiError(error, { call, requestId, log });
}

export function setRetryAfter(response: Response, { details: { retryAfter } }: ApiError): void {
  if (typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
}
