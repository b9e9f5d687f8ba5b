import { parseUrl } from '@drawbridge/contracts';
import type { HttpRequest } from './http.js';
import type { Page } from './paging.js';
import { ProviderError } from './provider-error.js';

/** Matches a link of the header and its parameters (RFC 8288, section 3). Commas within targets and quoted texts do not end a link. */
const PARAMETER = /\s*;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/;
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, 'g');
const PARAMETERS = new RegExp(PARAMETER, 'g');

/**
 * Returns the request for the next page of a Link header (RFC 8288). Throws ProviderError if it has another origin than this request:
 * the piece, not a response, decides where the credential is sent.
 */
export function linkNext({ answer, request, url }: Page): HttpRequest | undefined {
  const target = relation(answer.headers['link'] ?? '', 'next');
  if (target === undefined) return undefined;

  const next = parseUrl(target, answer.url);
  if (next?.origin !== new URL(url).origin)
    throw new ProviderError('The provider names a next page at another address');
  const hasOrigin = request.path.startsWith('/');
  return { ...request, path: hasOrigin ? next.pathname + next.search : next.href, query: undefined };
}

/** Returns the target of the first link with a relation. A link's first `rel` counts, and may list several relations. */
function relation(header: string, name: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETERS)].find(([, key]) => key?.toLowerCase() === 'rel');
    if ((rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/).includes(name)) return target;
  }
  return undefined;
}
