import { connectedHost, parseUrl } from '@drawbridge/contracts';
import { EgressError } from './egress-error.js';

export interface OutgoingRequest {
  method: string;
  /** Absolute, http or https, without credentials. */
  url: string;
  /** One value per name. Framing and host headers (host, content-length, connection …) are set by egress. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From DNS to the last byte of the last response, including redirects. Default 30,000. */
  timeoutMs?: number;
  /** Limits the response body, both on the wire and decoded. Default 10 MiB. */
  maxBytes?: number;
  /** Ignores the body: a body that is cut off, too long or too slow is no error. Never decodes it. */
  headOnly?: boolean;
  /** Redirects to follow before the request fails. Default 0: a 3xx is the response. */
  maxRedirects?: number;
  /** Called with the host of each redirect that leaves the first host. If it rejects, nothing is sent there and the request fails. */
  requireRedirect?(host: string): Promise<void>;
  signal?: AbortSignal;
  /** Called once when the response, on the wire or decoded, grows beyond 64 KiB. Reading continues when it resolves, and fails if it rejects. */
  makeRoom?(signal: AbortSignal): Promise<void>;
}

export interface OutgoingResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The URL of the response, after redirects and before ORIGIN_MAP. */
  url: string;
}

/** One checked request in a chain of redirects. */
export interface Hop {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

const SENDER_OWNED = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** Marks requests of programs, so that the gateway's pages and decisions refuse them. A constant value reveals nothing to a provider. */
const MARK = { 'x-svc-egress': '1' };
const TUNNEL_OR_ECHO = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Returns the first request. Throws INVALID_URL, or INVALID_REQUEST that names the invalid method or header. */
export function toFirstHop(request: OutgoingRequest): Hop {
  const url = toUrl(request.url);
  const method = request.method.toUpperCase();
  if (TUNNEL_OR_ECHO.has(method)) throw refusal(url, `method ${method} is not sent`);

  // Identity: an uncompressed response cannot grow beyond the limit, and needs no decoding.
  const headers: Record<string, string> = { 'user-agent': 'drawbridge', 'accept-encoding': 'identity' };
  for (const [given, value] of Object.entries(request.headers ?? {})) {
    const name = given.toLowerCase();
    if (SENDER_OWNED.has(name)) throw refusal(url, `header ${name} is set by the sender itself`);
    headers[name] = value;
  }
  return { method, url, headers: { ...headers, ...MARK }, body: request.body ?? null };
}

/** Parses a URL. Throws INVALID_URL, which never repeats the text, because any part of it may be a secret. */
export function toUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base?.href);
  if (url === undefined || connectedHost(url) === '') throw new EgressError('INVALID_URL', 'the URL is not valid');
  if (!/^https?:$/.test(url.protocol)) throw new EgressError('INVALID_URL', 'only http and https URLs are sent to');
  if (url.username + url.password !== '') {
    throw new EgressError('INVALID_URL', 'a URL must not carry credentials', url.host);
  }
  url.hash = '';
  return url;
}

/** Characters that a URL parser silently drops or rewrites: another reader of the stored URL could see another destination. */
const UNWRITTEN = /[\u0000-\u0020\u007f]/;

/** Parses a URL that is stored and shown as given. Throws INVALID_URL as `toUrl` does, and also for spaces or control characters. */
export function toKeptUrl(text: string): URL {
  if (UNWRITTEN.test(text)) throw new EgressError('INVALID_URL', 'the URL holds spaces or control characters');
  return toUrl(text);
}

function refusal(url: URL, reason: string): EgressError {
  return new EgressError('INVALID_REQUEST', reason, url.host);
}
