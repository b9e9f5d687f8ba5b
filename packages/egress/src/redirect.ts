import { parseUrl } from '@drawbridge/contracts';
import { EgressError } from './egress-error.js';
import { type Answer } from './exchange.js';
import { fromMappedUrl, type OriginMap, toAddress } from './origin-map.js';
import { type Hop, toUrl } from './outgoing.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

// Headers that are kept for another origin. An allow-list, because any header may contain a credential.
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
 * Returns the request that a 3xx redirects to, by the rules of fetch (https://fetch.spec.whatwg.org/#http-redirect-fetch), or undefined if the
 * response is no redirect. Throws INVALID_URL, or EGRESS_DENIED if https would become http or a body would go to another origin: unlike fetch and
 * curl, because the body may contain secrets for the first origin only.
 */
export function toNextHop(hop: Hop, { status, headers }: Answer, origins: OriginMap): Hop | undefined {
  if (!REDIRECTS.has(status) || headers.location === undefined) return undefined;

  // undici returns header text as latin1, but servers send UTF-8.
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
 * Returns the headers with the Link header (RFC 8288) translated back through ORIGIN_MAP: a mapped server names itself by its mapped address, which
 * callers cannot use. Other targets stay unchanged.
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
