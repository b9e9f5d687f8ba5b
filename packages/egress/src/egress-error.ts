export type EgressCode =
  | 'EGRESS_DENIED' // the destination is neither public nor allowed, or a redirect leaves https
  | 'REDIRECT_BLOCKED' // the caller does not allow the host of a redirect
  | 'INVALID_URL'
  | 'INVALID_REQUEST'
  | 'INVALID_RESPONSE'
  | 'UNREACHABLE' // DNS failed, no connection, an invalid certificate, or a connection lost before the response was complete
  | 'TIMEOUT'
  | 'ABORTED'
  | 'TOO_BUSY' // too many requests of the same tenant are queued
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS';

/**
 * A failed request. The message names the host as the caller wrote it, never an address, a header value, a body or a query string. There is no
 * `cause`, because undici's errors contain parts of the response. `sent` is false only if no byte of the request can have reached the server.
 */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  constructor(
    readonly code: EgressCode,
    readonly reason: string,
    readonly host?: string,
    readonly sent = false,
  ) {
    super(host === undefined ? reason : `${host}: ${reason}`);
  }
}

export function tooLarge(maxBytes: number): EgressError {
  return new EgressError('TOO_LARGE', `the answer is larger than ${maxBytes} bytes`);
}

/** Returns the code, or else the name, of an error of Node.js or undici: the only part that is safe to show. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  if ('code' in error && error.code !== undefined) return String(error.code);
  return 'name' in error ? String(error.name) : 'unknown reason';
}
