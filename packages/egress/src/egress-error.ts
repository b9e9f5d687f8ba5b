export type EgressCode =
  | 'EGRESS_DENIED' // the destination is neither public nor allowed, or a redirect leaves https
  | 'REDIRECT_BLOCKED' // the sender does not allow the host of a redirect
  | 'INVALID_URL'
  | 'INVALID_REQUEST'
  | 'INVALID_RESPONSE'
  | 'UNREACHABLE' // no name, no connection, a refused certificate, or a connection lost before the answer was whole
  | 'TIMEOUT'
  | 'ABORTED'
  | 'TOO_BUSY' // too many requests of the same tenant wait for their turn
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS';

/**
 * Why a request got no answer. The message names the host as the caller wrote it and never an address, a header value,
 * a body or a query string; there is no `cause`, because undici's errors carry pieces of the response.
 * `sent` is false only when no byte of the request can have reached the other side.
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

/** What Node.js and undici tell their errors apart by (a code, or for some the name): the one part that is safe to show. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  if ('code' in error && error.code !== undefined) return String(error.code);
  return 'name' in error ? String(error.name) : 'unknown reason';
}
