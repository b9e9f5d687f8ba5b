import { STATUS_CODES } from 'node:http';
import { type Duplex } from 'node:stream';
import { ApiError, newId } from '@drawbridge/contracts';

/**
 * After the response to an incomplete request, the gateway continues to read for this time. An earlier close would reset the connection, and the
 * client could lose the response.
 */
export const LINGER_MS = 5_000;

/** Headers of every response. `nosniff` prevents browsers from treating a response as another content type. */
export const SAFE_HEADERS = { 'X-Content-Type-Options': 'nosniff' };

/** Sends an error to a connection with a request that does not reach Express, in the format of all errors, and closes the connection. */
export function sendRefusal(socket: Duplex, error: ApiError, headers: Record<string, string>): void {
  const body = JSON.stringify({ error: error.message, code: error.code, details: error.details });
  const all = {
    Date: new Date().toUTCString(),
    ...SAFE_HEADERS,
    'X-Request-Id': newId(),
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}

/** Converts an error of Node.js's HTTP parser: bytes that are not HTTP (RFC 9112), headers over 16 KiB, or a request that arrives too slowly. */
export function unparsableRequest({ code }: NodeJS.ErrnoException): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return refused(431, 'The headers are too long');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ApiError('TIMEOUT', 'The request did not arrive in time', { status: 408 });
  }
  return refused(400, 'The request is not valid HTTP');
}

export function connectNotAllowed(): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', 'CONNECT is not allowed, because this server is not a proxy');
}

export function tooManyConnections(full: 'network' | 'total'): ApiError {
  return full === 'network'
    ? new ApiError(
        'RATE_LIMITED',
        'Too many open connections from this address. Close some, or reuse them for several requests',
      )
    : new ApiError('UNAVAILABLE', 'Too many open connections. Try again');
}

function refused(status: number, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, { status });
}
