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

export type RpcCode = (typeof RPC_CODES)[keyof typeof RPC_CODES];

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
