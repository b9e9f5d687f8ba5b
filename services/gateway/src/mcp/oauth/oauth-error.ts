import { ApiError } from '@drawbridge/contracts';
import { toApiError } from '@drawbridge/rpc';
import { type ErrorRequestHandler } from 'express';
import { contextOf } from '../../http/request-context.js';
import { ofUrl } from '../../http/send-error.js';

/** An error with a code and a text of RFC 6749, 5.2, or of its extensions. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';

  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message);
  }
}

/** Sends any error as `{error, error_description}`. */
export const sendOAuthError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  const { requestId, log } = contextOf(response);
  const known = error instanceof OAuthError ? error : toOAuthError(ofUrl(error) ?? error, { requestId, log });
  if (error instanceof ApiError && typeof error.details['retryAfter'] === 'number')
    response.setHeader('Retry-After', error.details['retryAfter']);
  if (known.status === 401) response.setHeader('WWW-Authenticate', 'Basic');
  response.set('Cache-Control', 'no-store').status(known.status);
  response.json({ error: known.code, error_description: plain(known.message) });
};

/** Replaces the characters that RFC 6749, 5.2, does not allow. */
const plain = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, "'");

type Context = Pick<ReturnType<typeof contextOf>, 'requestId' | 'log'>;

function toOAuthError(error: unknown, context: Context): OAuthError {
  const { status, message, details } = toApiError(error, { call: 'OAuth', ...context });
  const code = codeOf(status, details['reason']);
  return new OAuthError(code, message, code === 'invalid_client' ? 401 : status);
}

function codeOf(status: number, reason: unknown): string {
  if (status === 400 && typeof reason === 'string') return reason;
  if (status === 429 || status === 503 || status === 504) return 'temporarily_unavailable';
  return status >= 500 ? 'server_error' : 'invalid_request';
}
