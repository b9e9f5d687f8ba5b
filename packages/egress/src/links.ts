import { parseUrl } from '@drawbridge/contracts';
import type { Answer } from './exchange.js';
import { fromMappedUrl, type OriginMap, toAddress } from './origin-map.js';
import type { Hop } from './outgoing.js';

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
