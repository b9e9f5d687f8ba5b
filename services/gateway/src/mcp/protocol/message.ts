export type JsonObject = Record<string, unknown>;
export type RequestId = string | number;

export interface RpcRequest {
  kind: 'request';
  id: RequestId;
  method: string;
  params: JsonObject;
}

/** A message without a response: a notification, or a response to a request that the gateway did not send. */
export interface Unanswered {
  kind: 'notification' | 'response';
  method?: string;
  params: JsonObject;
}

export type Message = RpcRequest | Unanswered;

/**
 * Throws RpcError (400) for a body that is not a JSON-RPC message. Revision 2025-06-18 removed batches, and no client of an earlier revision sends
 * them.
 */
export function toMessage(body: unknown): Message {
  if (Array.isArray(body)) throw invalidRequest('JSON-RPC batches are not supported: send one message');
  if (!isObject(body) || body['jsonrpc'] !== '2.0') throw invalidRequest('The body is not a JSON-RPC 2.0 message');
  const { id, method, params = {} } = body;
  if (method === undefined && ('result' in body || 'error' in body)) return { kind: 'response', params: {} };
  if (typeof method !== 'string') throw invalidRequest('method must be a string');
  if (!isObject(params)) throw new RpcError(RPC_CODES.invalidParams, 'params must be an object', 400);
  if (id === undefined) return { kind: 'notification', method, params };
  if (!isRequestId(id)) throw invalidRequest('id must be a string or a number');
  return { kind: 'request', id, method, params };
}

/** Returns the id for an error response, even if the rest of the message is invalid. */
export function idOf(body: unknown): RequestId | null {
  const id = isObject(body) ? body['id'] : undefined;
  return isRequestId(id) ? id : null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || (typeof id === 'number' && Number.isFinite(id));
}

function invalidRequest(message: string): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, message, 400);
}

/** Codes of JSON-RPC 2.0 and of revision 2026-07-28 (SEP-2243, SEP-2575). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

type RpcCode = (typeof RPC_CODES)[keyof typeof RPC_CODES];

/** A JSON-RPC error. `status` is that of the HTTP response. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: RpcCode,
    message: string,
    readonly status = 200,
    readonly data?: Record<string, unknown>,
  ) {
    super(message);
  }
}
