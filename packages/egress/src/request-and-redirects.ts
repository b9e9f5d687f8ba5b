import { connectedHost, parseUrl } from '@drawbridge/contracts';
import { EgressError } from './egress-error.js';
import { type Answer } from './exchange.js';
import { fromMappedUrl, type OriginMap, toAddress } from './origin-map.js';

export interface OutgoingRequest {
  method: string;
  /** An absolute http or https URL without credentials. */
  url: string;
  /** Contains one value per name. Egress sets the framing and host headers (host, content-length, connection …). */
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** The time from the DNS look-up to the last byte of the last response, including redirects. Default: 30,000. */
  timeoutMs?: number;
  /** Maximum size of the response body, before and after decoding. Default: 10 MiB. */
  maxBytes?: number;
  /** Ignores the body and never decodes it: a body that is incomplete, too large or too slow is not an error. */
  headOnly?: boolean;
  /** Maximum number of redirects to follow; a further redirect fails the request. Default: 0, with which a 3xx response is returned. */
  maxRedirects?: number;
  /** Called with the host of each redirect to a host other than the first. If it rejects, no request is sent to that host and the request fails. */
  requireRedirect?(host: string): Promise<void>;
  signal?: AbortSignal;
  /**
   * Called once when the response exceeds 64 KiB, before or after decoding, to reserve memory. Reading continues when the promise resolves. The
   * request fails if it rejects.
   */
  makeRoom?(signal: AbortSignal): Promise<void>;
}

export interface OutgoingResponse {
  status: number;
  /** Header names are in lower case. The values of a repeated header are joined with ", ". */
  headers: Record<string, string>;
  body: Uint8Array;
  /** The URL of the response after redirects, without ORIGIN_MAP applied. */
  url: string;
}

/** One checked request in a chain of redirects. */
export interface Hop {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

/** Headers that apply to one connection or one message. Egress sets its own values. */
export const SENDER_OWNED: ReadonlySet<string> = new Set([
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
/**
 * Marks requests that Drawbridge sends, so that the gateway's pages and approval decisions reject them. The value is constant, so that it discloses
 * nothing to a provider.
 */
const MARK = { 'x-svc-egress': '1' };
const TUNNEL_OR_ECHO = new Set(['CONNECT', 'TRACE', 'TRACK']);

/** Returns the first request. Throws INVALID_URL, or INVALID_REQUEST with the invalid method or header. */
export function toFirstHop(request: OutgoingRequest): Hop {
  const url = toUrl(request.url);
  const method = request.method.toUpperCase();
  if (TUNNEL_OR_ECHO.has(method)) throw refusal(url, `method ${method} is not sent`);

  // Accepts only identity: an uncompressed response cannot grow beyond the limit, and needs no decoding.
  const headers: Record<string, string> = { 'user-agent': 'drawbridge', 'accept-encoding': 'identity' };
  for (const [given, value] of Object.entries(request.headers ?? {})) {
    const name = given.toLowerCase();
    if (SENDER_OWNED.has(name)) throw refusal(url, `header ${name} is set by the sender itself`);
    headers[name] = value;
  }
  return { method, url, headers: { ...headers, ...MARK }, body: request.body ?? null };
}

/** Parses a URL. Throws INVALID_URL without the URL, because any part of it may be a secret. */
export function toUrl(text: string, base?: URL): URL {
  const url = parseUrl(text, base?.href);
  if (url === undefined || connectedHost(url) === '') throw new EgressError('INVALID_URL', 'the URL is not valid');
  if (!/^https?:$/.test(url.protocol)) throw new EgressError('INVALID_URL', 'the URL must use http or https');
  if (url.username + url.password !== '') {
    throw new EgressError('INVALID_URL', 'the URL must not contain credentials', url.host);
  }
  url.hash = '';
  return url;
}

/** Characters that a URL parser silently drops or rewrites. A different reader of the stored URL could interpret it as a different destination. */
const UNWRITTEN = /[\u0000-\u0020\u007f]/;

/** Parses a URL that is stored and displayed exactly as entered. Throws INVALID_URL as `toUrl` does, and also for spaces and control characters. */
export function toKeptUrl(text: string): URL {
  if (UNWRITTEN.test(text))
    throw new EgressError('INVALID_URL', 'the URL must not contain spaces or control characters');
  return toUrl(text);
}

function refusal(url: URL, reason: string): EgressError {
  return new EgressError('INVALID_REQUEST', reason, url.host);
}

/** Statuses of a response that redirects to the URL in its Location header (RFC 9110, 15.4). */
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

// Headers that are sent to another origin after a redirect. This is an allow-list, because any header may contain a credential.
const KEPT_ACROSS_ORIGINS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-type',
  'range',
  'user-agent',
  'x-svc-egress',
]);

/**
 * Returns the request to which a 3xx response redirects, by the rules of fetch (https://fetch.spec.whatwg.org/#http-redirect-fetch), or undefined if
 * the response is not a redirect. Throws INVALID_URL. Unlike fetch and curl, throws EGRESS_DENIED if the redirect leads from https to http or would
 * send a body to another origin, because the body may contain secrets that only the first origin may receive.
 */
export function toNextHop(hop: Hop, { status, headers }: Answer, origins: OriginMap): Hop | undefined {
  if (!REDIRECTS.has(status) || headers.location === undefined) return undefined;

  // undici returns header values as latin1, but servers send UTF-8.
  const location = Buffer.from(headers.location, 'latin1').toString();
  const { origin, path } = toAddress(hop.url, origins);
  const url = fromMappedUrl(toUrl(location, new URL(origin + path)), hop.url.origin, origins);
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new EgressError('EGRESS_DENIED', 'a redirect from https to http is not followed', hop.url.host);
  }
  const next = becomesGet(status, hop.method) ? asGet(hop) : hop;
  if (url.origin === hop.url.origin) return { ...next, url };
  if (next.body !== null) {
    throw new EgressError('EGRESS_DENIED', 'a redirect to another origin is not followed with a body', hop.url.host);
  }
  return { ...next, url, headers: withoutCredentials(next) };
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return (status === 301 || status === 302) && method === 'POST';
}

function asGet(hop: Hop): Hop {
  const headers = Object.entries(hop.headers).filter(([name]) => !name.startsWith('content-'));
  return { ...hop, method: 'GET', body: null, headers: Object.fromEntries(headers) };
}

function withoutCredentials({ headers }: Hop): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_ACROSS_ORIGINS.has(name)));
}

const TARGET = /<([^<>]*)>/g;

/**
 * Reverses ORIGIN_MAP in the Link header of a response (RFC 8288), and returns the headers. A mapped server links to its own address, which callers
 * cannot reach. Links to other targets stay unchanged.
 */
export function withLinksOf({ headers }: Answer, { url: { origin }, url }: Hop, origins: OriginMap): Answer['headers'] {
  const { link } = headers;
  if (link === undefined || !origins.has(origin)) return headers;

  const reached = toAddress(url, origins);
  const base = reached.origin + reached.path;
  const toMeant = (whole: string, target: string): string => {
    const named = parseUrl(target, base);
    return named ? `<${fromMappedUrl(named, origin, origins).href}>` : whole;
  };
  return { ...headers, link: link.replace(TARGET, toMeant) };
}
