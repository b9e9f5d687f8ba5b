import { parseUrl } from '@drawbridge/contracts';
import type { Answer } from './exchange.js';
import { fromMappedUrl, type OriginMap, toAddress } from './origin-map.js';
import type { Hop } from './outgoing.js';

const TARGET = /<([^<>]*)>/g;

/**
 * The headers of an answer, a Link header (RFC 8288) as whoever asked can follow it: a mapped server names itself by the address at
 * which it is reached, where nobody may go by that name. Every other target stays as it is.
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
