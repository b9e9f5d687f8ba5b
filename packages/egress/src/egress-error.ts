export type EgressCode =
  | 'EGRESS_DENIED' // the destination is neither public nor allowed, or a redirect leads from https to http
  | 'REDIRECT_BLOCKED' // the caller does not allow the host of a redirect
  | 'INVALID_URL'
  | 'INVALID_REQUEST'
  | 'INVALID_RESPONSE'
  | 'UNREACHABLE' // DNS failed, no connection, an invalid certificate, or a connection that was lost before the response was complete
  | 'TIMEOUT'
  | 'ABORTED'
  | 'TOO_BUSY' // too many requests of the same tenant are queued
  | 'TOO_LARGE'
  | 'TOO_MANY_REDIRECTS';

/**
 * Thrown if a request fails. The message contains the host as the caller wrote it, never an address, a header value, a body or a query string. There
 * is no `cause`, because undici's errors contain parts of the response. `sent` is false only if the server cannot have received any byte of the
 * request.
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
  return new EgressError('TOO_LARGE', `the response is larger than ${maxBytes} bytes`);
}

/**
 * Returns the code of an error of Node.js or undici, or its name if it has no code. The code and the name are safe to display. The message is not,
 * because it may quote the response.
 */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown reason';
  if ('code' in error && error.code !== undefined) return String(error.code);
  return 'name' in error ? String(error.name) : 'unknown reason';
}

const NOT_HTTP = /^(HPE_|HTTPParserError|UND_ERR_RES)/;

/**
 * Converts an error of undici, the connector or a limit to an EgressError. Only the code of an undici error is retained, because its message may
 * quote the response.
 */
export function explainFailure(error: unknown, { host, sent }: { host: string; sent: boolean }): EgressError {
  if (error instanceof EgressError) return new EgressError(error.code, error.reason, host, sent);
  const foreignCode = codeOf(error);
  const [code, reason] = explain(foreignCode);
  return new EgressError(code, `${reason} (${foreignCode})`, host, sent);
}

function explain(foreignCode: string): [EgressCode, string] {
  if (foreignCode === 'UND_ERR_INVALID_ARG') return ['INVALID_REQUEST', 'the method or a header is not valid HTTP'];
  if (foreignCode === 'TOO_BUSY') return ['TOO_BUSY', 'too many requests of this organization are waiting'];
  if (foreignCode === 'UND_ERR_HEADERS_OVERFLOW') return ['TOO_LARGE', 'the headers of the answer are too large'];
  if (NOT_HTTP.test(foreignCode)) return ['INVALID_RESPONSE', 'the response is not valid HTTP'];
  return ['UNREACHABLE', 'the connection was lost'];
}
