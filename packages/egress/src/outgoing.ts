import { connectedHost, parseUrl } from '@drawbridge/contracts';
import { EgressError } from './egress-error.js';

export interface OutgoingRequest {
  method: string;
  /** Absolute, http or https, without credentials. */
  url: string;
  /** One value a name. What frames the message or names the host (host, content-length, connection …) is ours to set. */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** From resolving the name to the last byte of the last answer, redirects included. Default 30,000. */
  timeoutMs?: number;
  /** Of the answer's body, as sent and as decoded. Default 10 MiB. */
  maxBytes?: number;
  /** What the answer's body says is nothing to the sender: one that is cut off, too long or too slow is as good as none. Never decoded. */
  headOnly?: boolean;
  /** Default 0: a 3xx is the answer. Above it, the redirects to follow before giving up. */
  maxRedirects?: number;
  /** Called with the host of each redirect that leaves the first host. Where it rejects, nothing is sent there and the request fails. */
  requireRedirect?(host: string): Promise<void>;
  signal?: AbortSignal;
  /** Called once when the answer, as sent or as decoded, grows past 64 kB: it is read on when this resolves, and fails as this does. */
  makeRoom?(signal: AbortSignal): Promise<void>;
}

export interface OutgoingResponse {
  status: number;
  /** Names in lower case; a repeated header is joined with ", ". */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Where the answer came from, after redirects, before ORIGIN_MAP. */
  url: string;
}

/** One request of a chain of redirects, checked. */
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
/** Marks a request that a program sends: the gateway's pages and decisions refuse it. The same everywhere, so that it tells a provider nothing. */
const MARK = { 'x-svc-egress': '1' };
const TUNNEL_OR_ECHO = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** The request as it is first sent. Throws INVALID_URL, or INVALID_REQUEST naming the method or header at fault. */
export function toFirstHop(request: OutgoingRequest): Hop {
  const url = toUrl(request.url);
  const method = request.method.toUpperCase();
  if (TUNNEL_OR_ECHO.has(method)) throw refusal(url, `method ${method} is not sent`);

  // Identity: an answer that is not compressed can't grow past the limit, and the hot path decodes nothing.
  const headers: Record<string, string> = { 'user-agent': 'drawbridge', 'accept-encoding': 'identity' };
  for (const [given, value] of Object.entries(request.headers ?? {})) {
    const name = given.toLowerCase();
    if (SENDER_OWNED.has(name)) throw refusal(url, `header ${name} is set by the sender itself`);
    headers[name] = value;
  }
  return { method, url, headers: { ...headers, ...MARK }, body: request.body ?? null };
}

/** Throws INVALID_URL, which never repeats the text: it may hold a secret anywhere. */
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

/** What a URL parser drops or writes otherwise without a word: whoever else reads what is kept would go elsewhere. */
const UNWRITTEN = /[\u0000-\u0020\u007f]/;

/** A URL that is kept, and shown, as it was given. Throws INVALID_URL as `toUrl` does, and for one with spaces or control characters. */
export function toKeptUrl(text: string): URL {
  if (UNWRITTEN.test(text)) throw new EgressError('INVALID_URL', 'the URL holds spaces or control characters');
  return toUrl(text);
}

function refusal(url: URL, reason: string): EgressError {
  return new EgressError('INVALID_REQUEST', reason, url.host);
}
