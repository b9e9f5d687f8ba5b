import { EgressError } from './egress-error.js';
import { type Egress } from './egress.js';
import { toKeptUrl } from './request-and-redirects.js';

/**
 * Returns the reason why a webhook URL is invalid, or undefined. The URL must be a public HTTPS URL. The addresses to which its host name resolves
 * are checked again for each request.
 */
export function httpsProblem(egress: Pick<Egress, 'requireReachable'>, url: string): string | undefined {
  const problem = unreachable(egress, url);
  if (problem !== undefined) return `must be a public HTTPS URL: ${problem}`;
  return new URL(url).protocol === 'https:' ? undefined : 'must be a public HTTPS URL';
}

/**
 * Returns the reason why a trigger's callback URL is invalid, or undefined. The URL may use http if EGRESS_ALLOW contains its address, so that a
 * developer's machine can receive callbacks.
 */
export function callbackProblem(
  egress: Pick<Egress, 'requireReachable' | 'isListed'>,
  url: string,
): string | undefined {
  const { protocol, origin } = URL.canParse(url) ? new URL(url) : { protocol: '', origin: '' };
  if (protocol !== 'http:') return httpsProblem(egress, url);
  // The message quotes only the origin, because path and query may contain a secret.
  if (!egress.isListed(url))
    return `must use https (got ${origin}). For local development list the address in EGRESS_ALLOW.`;
  return unreachable(egress, url);
}

function unreachable({ requireReachable }: Pick<Egress, 'requireReachable'>, url: string): string | undefined {
  try {
    requireReachable(url);
    return undefined;
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return error.reason;
  }
}

/**
 * Returns whether the text is an absolute http or https URL without credentials, spaces or control characters. Such a URL can be stored as entered.
 */
export function isKeptUrl(text: string): boolean {
  try {
    return toKeptUrl(text).href !== '';
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return false;
  }
}
