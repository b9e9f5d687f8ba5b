import { parseUrl } from '@drawbridge/contracts';
import type { HttpRequest } from './http.js';
import type { Page } from './paging.js';
import { ProviderError } from './provider-error.js';

/** One link of the header, and its parameters (RFC 8288, 3): neither a target nor a quoted text ends at a comma. */
const PARAMETER = /\s*;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/;
const LINK = new RegExp(`<([^<>]*)>((?:${PARAMETER.source})*)`, 'g');
const PARAMETERS = new RegExp(PARAMETER, 'g');

/**
 * The next page as a Link header names it (RFC 8288). Throws ProviderError for one at another origin than was asked: the
 * credential goes where the piece says, not where an answer says.
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

/** Where the first link of that relation leads. Of several `rel` of one link the first counts; it may list several relations. */
function relation(header: string, name: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(LINK)) {
    const rel = [...parameters.matchAll(PARAMETERS)].find(([, key]) => key?.toLowerCase() === 'rel');
    if ((rel?.[2] ?? rel?.[3] ?? '').toLowerCase().split(/\s+/).includes(name)) return target;
  }
  return undefined;
}
