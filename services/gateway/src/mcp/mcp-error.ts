import { type ApiError } from '@drawbridge/contracts';
import { toApiError } from '@drawbridge/rpc';
import { type ErrorRequestHandler, type Request, type Response } from 'express';
import { ofUrl } from '../http/send-error.js';
import { contextOf } from '../http/request-context.js';
import { idOf, type RequestId } from './protocol/message.js';
import { RPC_CODES, RpcError } from './protocol/rpc-error.js';

/** Sends any error as a JSON-RPC error, with our code and details as its data. */
export const mcpError: ErrorRequestHandler = (error: unknown, request, response, next) => {
  if (response.headersSent) return next(error);
  if (error instanceof RpcError) {
    response
      .status(error.status)
      .type('json')
      .send(errorJson(error, idOf(request.body), response));
    return;
  }
  const known = ofUrl(error) ?? knownOf(error, response);
  const { retryAfter } = known.details;
  if (typeof retryAfter === 'number') response.setHeader('Retry-After', retryAfter);
  const challenge = challengeOf(known, request);
  if (challenge) response.setHeader('WWW-Authenticate', challenge);
  const isUnread = request.body === undefined && known.code === 'VALIDATION_ERROR' && known.status === 400;
  const code = isUnread ? RPC_CODES.parseError : undefined;
  response
    .status(known.status)
    .type('json')
    .send(toJson(known, idOf(request.body), code));
};

/** Returns the text of a JSON-RPC error. */
export function errorJson(error: unknown, id: RequestId | null, response: Response): string {
  if (!(error instanceof RpcError)) return toJson(knownOf(error, response), id);
  const { code, message, data } = error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });
}

function knownOf(error: unknown, response: Response): ApiError {
  const { requestId, log } = contextOf(response);
  return toApiError(error, { call: 'MCP', requestId, log });
}

function toJson({ code, message, details, status }: ApiError, id: RequestId | null, rpcCode?: number): string {
  const of = rpcCode ?? (status >= 500 ? RPC_CODES.internal : RPC_CODES.refused);
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: of, message, data: { code, details } } });
}

/** Returns a challenge of RFC 6750, with the URL of the metadata that says how to get a token (RFC 9728) if the server has OAuth. */
function challengeOf({ status, details }: ApiError, request: Request): string | undefined {
  const isScope = details['reason'] === 'insufficient_scope';
  if (status !== 401 && !isScope) return undefined;
  const isNone = status === 401 && request.get('authorization') === undefined;
  const said = {
    error: isScope ? 'insufficient_scope' : isNone ? undefined : 'invalid_token',
    resource_metadata: details['resourceMetadata'],
    scope: details['scope'],
  };
  const parts = Object.entries(said).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${String(value)}"`],
  );
  return ['Bearer', parts.join(', ')].join(' ').trim();
}
